import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { CHILDREN } from "../coverage/children.ts";
import { CLI, plainEnvironment, printed, type Run, runTelling, type Served } from "./cli.ts";
import { afterEachFile } from "./leftovers.ts";
import { type Listening, listeningOf } from "./listening.ts";

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
  /** Where it first listens; undefined when it ends without. */
  readonly listening: Promise<Listening | undefined>;
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
export function runKept(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): KeptRun {
  if (process.env[CHILDREN]) return runAlone(args, folder, env, cli);
  const one = freeProcess(folder);
  const output = { stdout: "", stderr: "" };
  const marks = { started: `<started ${randomUUID()}>`, ended: `<ended ${randomUUID()}>` };
  one.child.send({ cli, args, folder, env: { ...plainEnvironment(), ...env }, marks });
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const watching = new AbortController();
  const listens = told<Listening>(one.child, "port", watching.signal);
  const exit = ended(one, output, marks, start, watching);
  const isOver = exit.then(() => undefined);
  return {
    child: one.child,
    output,
    exit,
    settled: Promise.race([started, isOver]),
    listening: Promise.race([listens, isOver]),
  };
}

/** Where coverage is measured: a process that is kept would write what it ran too late. */
function runAlone(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
  cli: string,
): KeptRun {
  const run = runTelling(args, folder, env, cli);
  const settled = printed(run, /serving at \S+[\s\S]*\n\n$/).then(
    () => undefined,
    () => undefined,
  );
  return { ...run, settled, listening: listeningOf(run).catch(() => undefined) };
}

/** Starts a server on a free port, as `serveCli` does, in a process that is kept. */
export async function serveKept(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const run = runKept(["--port", "0", ...args], folder, env);
  return { ...run, url: await addressOf(run), stop: stopOf(run) };
}

/** The same for a server that prints nothing. */
export async function serveQuietly(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Promise<Served> {
  const run = runKept([...args, "--port", "0", "--host", "127.0.0.1", "--quiet"], folder, env, cli);
  return answering(run);
}

/** Waits until a server that prints nothing answers. */
export async function answering(run: KeptRun): Promise<Served> {
  const at = await run.listening;
  if (at === undefined) throw new Error(`standin ended early:\n${run.output.stdout}${run.output.stderr}`);
  const url = `http://127.0.0.1:${at.port}`;
  // It listens before it has loaded anything.
  await (await fetch(url)).arrayBuffer();
  return { ...run, url, stop: stopOf(run) };
}

/** Once it is over, the process may run something else already. */
function stopOf({ child, exit }: Run): () => Promise<number | null> {
  let isOver = false;
  void exit.then(() => {
    isOver = true;
  });
  return () => {
    if (!isOver) child.kill("SIGTERM");
    return exit;
  };
}

/** Where a server that was started listens, as it says itself. */
export async function addressOf({ output, settled }: KeptRun): Promise<string> {
  await settled;
  const [, url] = /serving at (\S+)/.exec(stripVTControlCharacters(output.stdout)) ?? [];
  if (url === undefined) throw new Error(`standin ended early:\n${output.stdout}${output.stderr}`);
  return url;
}

async function ended(
  one: Kept,
  output: Run["output"],
  marks: Marks,
  start: () => void,
  watching: AbortController,
): Promise<number | null> {
  const { child } = one;
  const { signal } = watching;
  const said = Promise.all([
    told<Ended>(child, "isClean", signal),
    taken(child, "stdout", output, marks, signal, start),
    taken(child, "stderr", output, marks, signal),
  ]).then(([end]) => end);
  const killed = once(child, "close", { signal }).then(() => undefined);
  for (const promise of [said, killed]) promise.catch(() => undefined);
  const end = await Promise.race([said, killed]);
  watching.abort();
  one.isBusy = false;
  if (!end?.isClean) discard(one);
  return end?.code ?? child.exitCode;
}

/** The first message that has this member. */
function told<Message>(child: ChildProcess, member: string, signal: AbortSignal): Promise<Message> {
  return new Promise((done) => {
    const take = (message: object): void => {
      if (member in message) done(message as Message);
    };
    child.on("message", take);
    signal.addEventListener("abort", () => child.off("message", take));
  });
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
    const made = { child, folders: new Set<string>(), isBusy: false };
    child.once("exit", () => kept.delete(made));
    kept.add(made);
    one = made;
  }
  one.isBusy = true;
  one.folders.add(folder);
  return one;
}

function discard(one: Kept): void {
  kept.delete(one);
  one.child.kill("SIGKILL");
}
