import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { accessSync, chownSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "vitest";
import { CLI, createFolder, follow, listening, plainEnvironment, printed, type Served } from "../support/cli.ts";
import { afterEachFile } from "../support/leftovers.ts";
import { TELLING, TOLD } from "../support/listening.ts";

/** The user that owns nothing. */
const NOBODY = 65_534;
const ORDINARY = { uid: NOBODY, gid: NOBODY };

export const isRoot = process.getuid?.() === 0;

const mounts: string[] = [];

afterEachFile(() => {
  for (const place of mounts.splice(0).reverse()) succeeds("umount", ["--lazy", place]);
});

export interface SpawnOptions {
  readonly folder: string;
  readonly args?: readonly string[];
  /** Shell commands that come first, such as a limit. */
  readonly before?: string;
  /** Runs as an ordinary user: root becomes the user nobody, any other user stays. */
  readonly isOrdinary?: boolean;
  /** With a terminal in between, as for a person. */
  readonly isAtTerminal?: boolean;
  /** Nothing reads its output. */
  readonly isSilent?: boolean;
}

/** Starts the built command line as a server under other circumstances than the usual ones. */
export async function serveSpecially(options: SpawnOptions): Promise<Served> {
  const { folder, args = [], before, isOrdinary, isAtTerminal, isSilent } = options;
  const cli = isOrdinary && isRoot ? openCli() : CLI;
  const plain = [process.execPath, ...(isSilent ? TELLING : []), cli, "--port", "0", ...args];
  const words = isAtTerminal ? ["script", "--quiet", "--flush", "--command", plain.join(" "), "/dev/null"] : plain;
  const command = before ? ["sh", "-c", `${before}\nexec "$@"`, "sh", ...words] : words;
  const user = isOrdinary && isRoot ? ORDINARY : {};
  const child = spawn(command[0]!, command.slice(1), {
    ...(isSilent ? TOLD : {}),
    cwd: folder,
    env: plainEnvironment(),
    ...user,
  });
  const run = follow(child as ChildProcessWithoutNullStreams);
  if (isSilent) return listening(run);
  const url = (await printed(run, /serving at (\S+)/))[1]!;
  return {
    ...run,
    url,
    stop: () => {
      run.child.kill("SIGTERM");
      return run.exit;
    },
  };
}

let copied: string | undefined;

/** Why the user nobody cannot run a command line; empty if it can. */
function problemOf(cli: string): string {
  const { stderr } = spawnSync(process.execPath, [cli, "--version"], { ...ORDINARY, cwd: "/", encoding: "utf8" });
  return stderr ?? "it cannot be started";
}

/** The built command line where the user nobody can read it: root's clone may be in a folder that only root can enter. */
function openCli(): string {
  if (problemOf(CLI) === "") return CLI;
  if (copied === undefined || !exists(copied)) {
    const folder = createFolder();
    cpSync(dirname(dirname(CLI)), folder, { recursive: true });
    spawnSync("chmod", ["-R", "a+rX", folder]);
    copied = join(folder, "dist/cli.js");
  }
  const problem = problemOf(copied);
  if (problem === "") return copied;
  throw new Error(`The user nobody cannot run ${process.execPath} with a copy of the build in ${copied}: ${problem}`);
}

/** A folder that an ordinary user owns, with what is in it. */
export function ordinaryFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = createFolder(files);
  if (!isRoot) return folder;
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(folder)) chownSync(join(folder, name), NOBODY, NOBODY);
  return folder;
}

/** Ends the test with a reason that is printed, when this machine does not allow what it needs. */
export function need(context: TestContext, what: string, isThere: boolean): void {
  if (isThere) return;
  console.warn(`not tested here: "${context.task.name}" needs ${what}`);
  context.skip(`needs ${what}`);
}

/** Mounts a file over another one, so that it cannot be renamed over; false where that is not allowed. */
export function bindMount(source: string, target: string): boolean {
  return mount(["--bind", source, target], target);
}

/** Shows a folder in another place, where nothing can be written; false where that is not allowed. */
export function bindReadOnly(source: string, target: string): boolean {
  return mount(["--bind", source, target], target) && succeeds("mount", ["-o", "remount,ro,bind", target]);
}

/** A disk of its own that is soon full; false where mounting is not allowed. */
export function mountSmallDisk(folder: string, kilobytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  return mount(["-t", "tmpfs", "-o", `size=${kilobytes}k`, "standin-test", folder], folder);
}

function mount(args: readonly string[], place: string): boolean {
  const isMounted = succeeds("mount", args);
  if (isMounted) mounts.push(place);
  return isMounted;
}

/** Whether a path can be used at all on this system. */
export function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

export function commandExists(name: string): boolean {
  return succeeds("sh", ["-c", `command -v ${name}`]);
}

/** Lifts the limit on file sizes of a running process; false where there is no command for that. */
export function liftFileSizeLimit(pid: number): boolean {
  return succeeds("prlimit", ["--pid", String(pid), "--fsize=unlimited"]);
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}
