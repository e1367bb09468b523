#!/usr/bin/env node
import module from "node:module";
import { join } from "node:path";

// Since Node 22.8, later starts compile nothing. Kept inside the package: who may write there could change its code as
// well, unlike in the shared temporary folder. Where the package is read-only, Node goes on without the cache.
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") {
  module.enableCompileCache(join(import.meta.dirname, "..", ".compile-cache"));
}

const [first, ...rest] = process.argv.slice(2);
try {
  // A command name wins over a file or folder of that name; anything else is a source or a flag of serve.
  if (first === "generate") await (await import("./commands/generate.ts")).generate(rest);
  else if (first === "snapshots") await (await import("./commands/snapshots.ts")).snapshots(rest);
  else if (first === "explain") await (await import("./commands/explain.ts")).explain(rest);
  else if (first === "hosted") await (await import("./commands/hosted.ts")).hosted(rest);
  else if (first === "mcp") await (await import("./commands/mcp.ts")).mcp(rest);
  else if (first === "types") await (await import("./commands/types.ts")).types(rest);
  else if (first === "client") await (await import("./commands/client.ts")).client(rest);
  else if (first === "requests") await (await import("./commands/requests.ts")).requests(rest);
  else if (first === "rules") await (await import("./commands/rules.ts")).rules(rest);
  else if (first === "check") await (await import("./commands/check.ts")).check(rest);
  else if (first === "bind") await (await import("./commands/bind.ts")).bind(rest);
  else if (first === "import") await (await import("./commands/import.ts")).importData(rest);
  else if (first === "export") await (await import("./commands/export.ts")).exportData(rest);
  else if (first === "doctor") await (await import("./commands/doctor.ts")).doctor(rest);
  else if (first === "secret") await (await import("./commands/secret.ts")).secret(rest);
  else await (await import("./commands/serve.ts")).serve(process.argv.slice(2));
} catch (thrown) {
  // Checked by name, so that no start has to load the classes for it.
  const isOurs = thrown instanceof Error && /^(StartError|StandinError)$/.test(thrown.name);
  const [{ inspect }, { maskText }, { terminalSafe }] = await Promise.all([
    import("node:util"),
    import("./base/secrets/mask-text.ts"),
    import("./base/terminal-safe.ts"),
  ]);
  console.error(terminalSafe(isOurs ? `standin: ${maskText(thrown.message)}` : maskText(inspect(thrown), true)));
  process.exitCode = 1;
}
