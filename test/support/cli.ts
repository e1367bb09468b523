import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { CHILDREN } from "../coverage/children.ts";
import { afterEachFile } from "./leftovers.ts";
import { listeningOf, TELLING, TOLD } from "./listening.ts";

/** The built command line. Quick runs build nothing, and start none. */
export const CLI = join(process.env.STANDIN_TEST_PACKAGE ?? "nothing-is-built", "dist/cli.js");

const running = new Set<ChildProcess>();
const folders: string[] = [];

// Whatever a failed test left behind ends with its file.
afterEachFile(async () => {
  for (const child of running) {
    child.kill("SIGKILL");
    await once(child, "close");
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export interface Run {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
}

/** A new empty folder; `files` are written into it or into folders of it, objects as JSON. */
export function createFolder(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "standin-test-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** Starts the built command line in a folder. */
export function runCli(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Run {
  return follow(spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...plainEnvironment(), ...env } }));
}

/** Takes down what a process prints; ends it with the test file at the latest. */
export function follow(child: ChildProcessWithoutNullStreams): Run {
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  running.add(child);
  const exit = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, output, exit };
}

/** Waits until standard output, without its colours, matches; fails when the run ends before. */
export function printed({ child, output, exit }: Run, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((found, failed) => {
    const look = (): void => {
      const match = pattern.exec(stripVTControlCharacters(output.stdout));
      if (match) found(match);
    };
    child.stdout?.on("data", look);
    void exit.then(() => failed(new Error(`standin ended early:\n${output.stdout}${output.stderr}`)));
    look();
  });
}

export interface Served extends Run {
  readonly url: string;
  /** Ends it with SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the command line as a server on a free port and waits until it says its address. */
export async function serveCli(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Promise<Served> {
  const run = runCli(["--port", "0", ...args], folder, env, cli);
  const [, url] = await printed(run, /serving at (\S+)/);
  return { ...run, url: url!, stop: () => stop(run) };
}

/** Starts the command line so that it tells where it listens without printing it. */
export function runTelling(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Run {
  const options = { ...TOLD, cwd: folder, env: { ...plainEnvironment(), ...env } };
  return follow(spawn(process.execPath, [...TELLING, cli, ...args], options) as ChildProcessWithoutNullStreams);
}

/** Waits until what was started by `runTelling` listens, and answers: it listens before it has loaded anything. */
export async function listening(run: Run): Promise<Served> {
  const { port } = await listeningOf(run);
  const url = `http://127.0.0.1:${port}`;
  try {
    await (await fetch(url)).arrayBuffer();
  } catch {
    await run.exit;
    throw new Error(`standin ended early:\n${run.output.stdout}${run.output.stderr}`);
  }
  return { ...run, url, stop: () => stop(run) };
}

function stop({ child, exit }: Run): Promise<number | null> {
  child.kill("SIGTERM");
  return exit;
}

/** Colour is decided by a test alone, not by who runs it. Where coverage is measured, the process writes what it ran. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NO_COLOR, FORCE_COLOR, NODE_OPTIONS, ...inherited } = process.env;
  const coverage = process.env[CHILDREN];
  return coverage ? { ...inherited, NODE_V8_COVERAGE: join(coverage, "raw") } : inherited;
}
