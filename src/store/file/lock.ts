import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { messageOf, StartError } from "../../errors.ts";
import { makeOwnFolder, ownFile, removeOwnFolderIfEmpty } from "./own-folder.ts";

/** Who holds a data file. The start time tells a holder from a later process that was given its pid. */
export interface Holder {
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
}

export interface Lock {
  release(): void;
}

/** Files held by this very process: its own pid in a lock file means nothing (it may be a container's former life). */
const heldHere = new Set<string>();

/** Errors of a folder that takes no files: nobody else can write there either, so there is nothing to guard against. */
const NOT_WRITABLE = new Set(["EACCES", "EROFS", "EPERM", "ENOSPC"]);

/** Takes the data file for this process; throws a `StartError` that names the holder when another live process has it. */
export function acquireLock(source: string, warn: (text: string) => void): Lock {
  try {
    return createLock(source);
  } catch (thrown) {
    if (!NOT_WRITABLE.has((thrown as NodeJS.ErrnoException).code ?? "")) throw thrown;
    warn(`The folder of ${source} cannot be written (${messageOf(thrown)}); writes are refused until it can.`);
    return { release() {} };
  }
}

function createLock(source: string): Lock {
  const file = ownFile(source, "lock");
  makeOwnFolder(source);
  for (;;) {
    const holder = heldHere.has(file) ? myself() : liveHolder(source);
    if (holder) throw new StartError(heldMessage(source, file, holder));
    removeStale(file);
    try {
      writeFileSync(file, JSON.stringify(myself()), { flag: "wx" });
      break;
    } catch (thrown) {
      // Somebody was faster: look again who it is.
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    }
  }
  heldHere.add(file);
  return {
    release() {
      if (!heldHere.delete(file)) return;
      if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
      removeOwnFolderIfEmpty(source);
    },
  };
}

/** The live process, other than this one, that holds the data file; undefined when nobody does. */
export function liveHolder(source: string): Holder | undefined {
  const holder = readHolder(ownFile(source, "lock"));
  if (!holder || holder.pid === process.pid) return undefined;
  // Of a process on another machine we cannot know; better to refuse than to share the file with it.
  if (holder.host !== hostname()) return holder;
  return isAlive(holder.pid) && startTimeOf(holder.pid) === holder.startedAt ? holder : undefined;
}

/** Moved away first and looked at again, so that a lock somebody has just taken is not removed by mistake. */
function removeStale(file: string): void {
  const seen = readText(file);
  if (seen === undefined) return;
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readText(aside) === seen) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

function myself(): Holder {
  return { pid: process.pid, startedAt: startTimeOf(process.pid), host: hostname() };
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readText(file) ?? "null") as Holder | undefined;
  } catch {
    // Half a lock: its writer died in the act.
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a process began, as the kernel counts it (proc(5), field 22 of stat); empty where the system does not tell. */
function startTimeOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  // The command name, in parentheses, may hold spaces; the fields after it do not.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function heldMessage(source: string, file: string, { pid, host }: Holder): string {
  const elsewhere = host === hostname() ? "" : ` on ${host}; if that one is gone, remove ${file}`;
  return (
    `${source} is in use by another standin (pid ${pid}${elsewhere}). ` +
    "Serve another file, or add --memory to serve a copy that is never written."
  );
}
