import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { plainEnvironment } from "./cli.ts";

/** Runs a line of shell at a terminal of its own, by the command `script`. */
export function spawnAtTerminal(line: string, folder: string): ChildProcessWithoutNullStreams {
  const { CI: _, ...env } = plainEnvironment();
  return spawn("script", ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], { cwd: folder, env });
}
