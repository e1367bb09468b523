import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { builtPackage } from "./build.ts";
import { freePort } from "./free-port.ts";
import { afterEachFile } from "./leftovers.ts";

export const CLI = join(builtPackage(), "dist/cli.js");

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

/** A new empty folder; `files` are written into it, objects as JSON. */
export function createFolder(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "standin-test-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** Starts the built command line in a folder. Colour is decided by `env` alone, not by who runs the tests. */
export function runCli(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  cli = CLI,
): Run {
  const { NO_COLOR, FORCE_COLOR, NODE_OPTIONS, ...inherited } = process.env;
  return follow(spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...inherited, ...env } }));
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
): Promise<Served> {
  const run = runCli(["--port", "0", ...args], folder, env);
  const [, url] = await printed(run, /serving at (\S+)/);
  return { ...run, url: url!, stop: () => stop(run) };
}

/** Starts a server that says nothing, and waits until it answers. */
export async function serveQuietly(args: readonly string[], folder: string): Promise<Served> {
  const port = await freePort();
  const run = runCli(["--port", String(port), "--quiet", ...args], folder);
  const url = `http://localhost:${port}`;
  while (!(await isAnswering(url))) {
    if (run.child.exitCode !== null) throw new Error(`standin ended early:\n${run.output.stderr}`);
    await sleep(20);
  }
  return { ...run, url, stop: () => stop(run) };
}

function stop({ child, exit }: Run): Promise<number | null> {
  child.kill("SIGTERM");
  return exit;
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
