import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { follow } from "./cli.ts";
import { listeningOf, TELLING, TOLD } from "./listening.ts";

const BIN = createRequire(import.meta.url).resolve("json-server/lib/cli/bin.js");

/** Starts the real json-server 0.17.4 by its command line, as its users do; resolves with its address. */
export async function serveJsonServer(args: readonly string[], folder: string): Promise<string> {
  const flags = ["--port", "0", "--host", "127.0.0.1", "--foreignKeySuffix", "_id", "--quiet"];
  const child = spawn(process.execPath, [...TELLING, BIN, ...flags, ...args], { ...TOLD, cwd: folder });
  const { port } = await listeningOf(follow(child as ChildProcessWithoutNullStreams));
  return `http://127.0.0.1:${port}`;
}
