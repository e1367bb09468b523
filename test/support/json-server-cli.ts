import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { afterEachFile } from "./leftovers.ts";

const BIN = createRequire(import.meta.url).resolve("json-server/lib/cli/bin.js");
const running = new Set<ChildProcess>();

afterEachFile(async () => {
  for (const child of running) {
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  }
});

/** Starts the real json-server 0.17.4 by its command line, as its users do; resolves with its address. */
export async function serveJsonServer(args: readonly string[], folder: string): Promise<string> {
  const port = await freePort();
  const flags = ["--port", String(port), "--host", "127.0.0.1", "--foreignKeySuffix", "_id", "--quiet"];
  const child = spawn(process.execPath, [BIN, ...flags, ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  let problem = "";
  child.stderr.on("data", (chunk) => {
    problem += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`json-server ended early:\n${problem}`);
    const isAnswering = await fetch(`${url}/db`).then(
      async (answer) => {
        await answer.arrayBuffer();
        return true;
      },
      () => false,
    );
    if (isAnswering) return url;
    await sleep(25);
  }
}
