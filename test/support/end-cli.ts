import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { CHILDREN } from "../coverage/children.ts";
import { CLI, type Run, runCli } from "./cli.ts";

const HOST = resolve("test/support/command-host.mjs");

interface Ended {
  readonly code: number;
  readonly output: Run["output"];
}

interface Host {
  readonly child: ChildProcess;
  /** Rejects when it ends before its time. */
  readonly gone: Promise<never>;
}

let host: Host | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command that ends by itself, as `runCli` does, but in a process that is kept for all such commands of a worker,
 * one after the other: a tenth of the cost. Not for a server that starts, standard input, signals or another user.
 */
export function endCli(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Omit<Run, "child"> {
  // One that is kept writes what it ran too late.
  if (process.env[CHILDREN]) return runCli(args, folder, env);
  const output = { stdout: "", stderr: "" };
  const exit = last
    .then(() => ask(args, folder, env))
    .then((ended) => {
      Object.assign(output, ended.output);
      return ended.code;
    });
  last = exit.catch(() => undefined);
  return { output, exit };
}

async function ask(args: readonly string[], folder: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const { NO_COLOR, FORCE_COLOR, NODE_OPTIONS, ...inherited } = process.env;
  host ??= start();
  host.child.send({ cli: CLI, args, folder, env: { ...inherited, ...env } });
  const [ended] = await Promise.race([once(host.child, "message"), host.gone]);
  return ended as Ended;
}

function start(): Host {
  const { NODE_OPTIONS, ...env } = process.env;
  const child = fork(HOST, { execArgv: [], env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const gone = once(child, "exit").then(([code]) => {
    host = undefined;
    throw new Error(`A command ended the process of all commands with ${code}.`);
  });
  gone.catch(() => undefined);
  child.unref();
  return { child, gone };
}
