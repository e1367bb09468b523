#!/usr/bin/env node
import module from "node:module";
import { join } from "node:path";
import { runCommandLine } from "./commands/command-table.ts";

// Since Node 22.8, later starts compile nothing. Kept inside the package: who may write there could change its code as
// well, unlike in the shared temporary folder. Where the package is read-only, Node goes on without the cache.
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") {
  module.enableCompileCache(join(import.meta.dirname, "../node_modules/.cache"));
}

try {
  await runCommandLine(process.argv.slice(2));
} catch (thrown) {
  // Checked by name, so that no start has to load the classes for it.
  const isOurs = thrown instanceof Error && /^(StartError|StandinError)$/.test(thrown.name);
  const [{ inspect }, { maskText }, { terminalSafe }] = await Promise.all([
    import("node:util"),
    import("./base/secrets/mask-text.ts"),
    import("./base/reporter.ts"),
  ]);
  console.error(terminalSafe(isOurs ? `standin: ${maskText(thrown.message)}` : maskText(inspect(thrown), true)));
  process.exitCode ??= 1;
}
