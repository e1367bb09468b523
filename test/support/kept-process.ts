import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { CHILDREN } from "../coverage/children.ts";
import { CLI, plainEnvironment, printed, type Run, runCli, type Served } from "./cli.ts";
import { afterEachFile } from "./leftovers.ts";

const HOST = resolve("test/support/command-host.mjs");

interface Kept {
  readonly child: ChildProcess;
  /** Whose code it may have loaded already. */
  readonly folders: Set<string>;
  isBusy: boolean;
}

interface Ended {
  readonly code: number;
  /** Whether nothing of the command is left in the process. */
  readonly isClean: boolean;
}

export interface KeptRun extends Run {
  /** Resolves when a server has started and printed all that it prints then, or when the command has ended. */
  readonly settled: Promise<void>;
}

interface Marks {
  readonly started: string;
  readonly ended: string;
}

const kept = new Set<Kept>();

// A server that a failed test left behind goes with its process.
afterEachFile(() => {
  for (const one of kept) if (one.isBusy) discard(one);
});

/**
 * Runs a command as `runCli` does, but in a process that is kept for the next one: a tenth of the cost. Not for standard
 * input, another user, or options of Node.
 */
export function runKept(args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}): KeptRun {
  if (process.env[CHILDREN]) return runAlone(args, folder, env);
  const one = freeProcess(folder);
  const output = { stdout: "", stderr: "" };
  const marks = { started: `<started ${randomUUID()}>`, ended: `<ended ${randomUUID()}>` };
  one.child.send({ cli: CLI, args, folder, env: { ...plainEnvironment(), ...env }, marks });
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const exit = ended(one, output, marks, start);
  return { child: one.child, output, exit, settled: Promise.race([started, exit.then(() => undefined)]) };
}

/** Where coverage is measured: a process that is kept would write what it ran too late. */
function runAlone(args: readonly string[], folder: string, env: Readonly<Record<string, string>>): KeptRun {
  const run = runCli(args, folder, env);
  const settled = printed(run, /serving at \S+[\s\S]*\n\n$/).then(
    () => undefined,
    () => undefined,
  );
  return { ...run, settled };
}

/** Starts a server on a free port, as `serveCli` does, in a process that is kept. */
export async function serveKept(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const run = runKept(["--port", "0", ...args], folder, env);
  const url = await addressOf(run);
  const stop = (): Promise<number | null> => {
    run.child.kill("SIGTERM");
    return run.exit;
  };
  return { ...run, url, stop };
}

/** Where a server that was started listens, as it says itself. */
export async function addressOf({ output, settled }: KeptRun): Promise<string> {
  await settled;
  const [, url] = /serving at (\S+)/.exec(stripVTControlCharacters(output.stdout)) ?? [];
  if (url === undefined) throw new Error(`standin ended early:\n${output.stdout}${output.stderr}`);
  return url;
}

async function ended(one: Kept, output: Run["output"], marks: Marks, start: () => void): Promise<number | null> {
  const { child } = one;
  const listening = new AbortController();
  const { signal } = listening;
  const said = Promise.all([
    once(child, "message", { signal }).then(([told]) => told as Ended),
    taken(child, "stdout", output, marks, signal, start),
    taken(child, "stderr", output, marks, signal),
  ]).then(([told]) => told);
  const killed = once(child, "close", { signal }).then(() => undefined);
  for (const promise of [said, killed]) promise.catch(() => undefined);
  const told = await Promise.race([said, killed]);
  listening.abort();
  one.isBusy = false;
  if (!told?.isClean) discard(one);
  return told?.code ?? child.exitCode;
}

/** Takes down what is printed, without the marks, until the last of them comes. */
function taken(
  child: ChildProcess,
  name: keyof Run["output"],
  output: Run["output"],
  marks: Marks,
  signal: AbortSignal,
  start: () => void = () => {},
): Promise<void> {
  return new Promise((done) => {
    const take = (chunk: Buffer): void => {
      const text = output[name] + chunk;
      output[name] = text.replace(marks.started, "").replace(marks.ended, "");
      if (text.includes(marks.started)) start();
      if (text.includes(marks.ended)) done();
    };
    child[name]?.on("data", take);
    signal.addEventListener("abort", () => child[name]?.off("data", take));
  });
}

/** Code is loaded once in a process, so what a folder holds of it counts only in one that has not been there. */
function freeProcess(folder: string): Kept {
  const holdsCode = readdirSync(folder).some((name) => /\.[cm]?[jt]sx?$/.test(name));
  let one = [...kept].find(({ isBusy, folders }) => !isBusy && !(holdsCode && folders.has(folder)));
  if (!one) {
    const { NODE_OPTIONS, ...env } = process.env;
    const child = fork(HOST, { execArgv: [], env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    child.setMaxListeners(0);
    child.unref();
    one = { child, folders: new Set(), isBusy: false };
    kept.add(one);
  }
  one.isBusy = true;
  one.folders.add(folder);
  return one;
}

function discard(one: Kept): void {
  kept.delete(one);
  one.child.kill("SIGKILL");
}
