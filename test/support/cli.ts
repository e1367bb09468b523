import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const CLI = resolve("dist/cli.js");

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
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** Starts the built command line in a folder. */
export function runCli(args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env: { ...process.env, ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  const exit = once(child, "close").then(([code]) => code as number | null);
  return { child, output, exit };
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
  const url = await new Promise<string>((found, failed) => {
    const look = (): void => {
      const match = /serving at (\S+)/.exec(run.output.stdout);
      if (match?.[1]) found(match[1]);
    };
    run.child.stdout?.on("data", look);
    run.child.once("close", () =>
      failed(new Error(`standin did not start:\n${run.output.stdout}${run.output.stderr}`)),
    );
  });
  return {
    ...run,
    url,
    stop: () => {
      run.child.kill("SIGTERM");
      return run.exit;
    },
  };
}
