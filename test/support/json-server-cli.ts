import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEachFile } from "./leftovers.ts";

const HOST = resolve("test/support/json-server-host.mjs");
const FLAGS = ["--port", "0", "--host", "127.0.0.1", "--foreignKeySuffix", "_id", "--quiet"];

let host: ChildProcess | undefined;
let latest: Promise<unknown> = Promise.resolve();

afterEachFile(() => {
  host?.kill("SIGKILL");
  host = undefined;
});

/** Starts the real json-server 0.17.4 by its command line, as its users do; resolves with its address. */
export function serveJsonServer(args: readonly string[], folder: string): Promise<string> {
  // All servers of a file are in one process, so none may depend on the folder that it is in later.
  const absolute = args.map((word) => (existsSync(join(folder, word)) ? join(folder, word) : word));
  const started = latest.then(() => start([...FLAGS, ...absolute], folder));
  latest = started.catch(() => undefined);
  return started;
}

async function start(args: readonly string[], folder: string): Promise<string> {
  host ??= fork(HOST, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  host.send({ args, folder });
  const ended = once(host, "exit").then(() => Promise.reject(new Error("json-server ended before it listened.")));
  const [{ port }] = (await Promise.race([once(host, "message"), ended])) as [{ readonly port: number }];
  return `http://127.0.0.1:${port}`;
}
