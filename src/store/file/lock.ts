import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  /** False where the folder could not be written at the start: nothing in it is to be touched then. */
  readonly isTaken: boolean;
  /** Makes sure that the lock is still ours, and takes it again where it was removed. Throws when another process has it. */
  renew(): void;
  release(): void;
}

/** Files held by this very process: its own pid in a lock file means nothing (it may be a container's former life). */
const heldHere = new Set<string>();

/** Errors of a folder that takes no files: nothing can be written there now, so there is nothing to guard yet. */
const NOT_WRITABLE = new Set(["EACCES", "EROFS", "EPERM", "ENOSPC", "EDQUOT"]);

/** More than all who start at the same moment can be faster. */
const MAX_ATTEMPTS = 1000;

/** Takes the data file for this process; throws a `StartError` that names the holder when another live process has it. */
export function acquireLock(source: string, warn: (text: string) => void): Lock {
  const file = ownFile(source, "lock");
  if (heldHere.has(file)) throw new StartError(heldMessage(source, file, myself()));
  let isTaken = true;
  try {
    take(source, file);
  } catch (thrown) {
    if (!NOT_WRITABLE.has(codeOf(thrown))) throw thrown;
    isTaken = false;
    warn(`The folder of ${source} cannot be written (${messageOf(thrown)}); writes are refused until it can.`);
  }
  heldHere.add(file);
  let isReleased = false;
  return {
    isTaken,
    renew() {
      if (!isMine(parseHolder(readText(file)))) take(source, file);
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      heldHere.delete(file);
      if (isMine(parseHolder(readText(file)))) rmSync(file, { force: true });
      removeOwnFolderIfEmpty(source);
    },
  };
}

/** The live process, other than this one, that holds the data file; undefined when nobody does. */
export function liveHolder(source: string): Holder | undefined {
  return aliveAndOther(parseHolder(readText(ownFile(source, "lock"))));
}

function take(source: string, file: string): void {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const seen = readLock(source, file);
    const holder = aliveAndOther(parseHolder(seen));
    if (holder) throw new StartError(heldMessage(source, file, holder));
    makeOwnFolder(source);
    if (seen !== undefined) removeStale(file, seen);
    try {
      createWhole(file, JSON.stringify(myself()));
      return;
    } catch (thrown) {
      // Somebody was faster, or a neighbour has just removed the folder as empty: look again.
      if (!["EEXIST", "ENOENT"].includes(codeOf(thrown))) throw thrown;
    }
  }
  throw new StartError(`${file} can neither be taken nor removed. Remove it by hand if no standin serves ${source}.`);
}

/** A lock that cannot be read may be that of a living process of another user. */
function readLock(source: string, file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(thrown))) return undefined;
    throw new StartError(
      `${source} may be in use: its lock ${file} cannot be read (${messageOf(thrown)}). ` +
        "Remove it if no standin serves that file, or add --memory to serve a copy that is never written.",
    );
  }
}

/** A lock appears with its content: one that was seen empty would be taken for the leftover of a crash. */
function createWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text);
    linkSync(temporary, file);
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") throw thrown;
    // Not every file system has links.
    writeFileSync(file, text, { flag: "wx" });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function aliveAndOther(holder: Holder | undefined): Holder | undefined {
  if (!holder || holder.pid === process.pid) return undefined;
  // Of a process on another machine we cannot know; better to refuse than to share the file with it.
  if (holder.host !== hostname()) return holder;
  return isAlive(holder.pid) && startTimeOf(holder.pid) === holder.startedAt ? holder : undefined;
}

function isMine(holder: Holder | undefined): boolean {
  const { pid, startedAt, host } = myself();
  return holder?.pid === pid && holder.startedAt === startedAt && holder.host === host;
}

/** Moved away first and looked at again, so that a lock somebody has just taken is not removed by mistake. */
function removeStale(file: string, seen: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (thrown) {
    // Another one was faster.
    if (codeOf(thrown) === "ENOENT") return;
    throw thrown;
  }
  if (readText(aside) === seen) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

function myself(): Holder {
  return { pid: process.pid, startedAt: startTimeOf(process.pid), host: hostname() };
}

/** Undefined for half a lock, whose writer died in the act, and for anything else that is none. */
function parseHolder(text: string | undefined): Holder | undefined {
  try {
    const holder = JSON.parse(text ?? "null") as Partial<Holder> | null;
    return Number.isInteger(holder?.pid) ? (holder as Holder) : undefined;
  } catch {
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
    return codeOf(thrown) === "EPERM";
  }
}

/**
 * When a process began, as the kernel counts it (proc(5), field 22 of stat); empty where the system does not tell. A
 * process that has ended but was not waited for (state Z) began at no time: nobody is behind it.
 */
function startTimeOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  // The command name, in parentheses, may hold spaces; the fields after it do not.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
}

function heldMessage(source: string, file: string, { pid, host }: Holder): string {
  const elsewhere = host === hostname() ? "" : ` on ${host}; if that one is gone, remove ${file}`;
  return (
    `${source} is in use by another standin (pid ${pid}${elsewhere}). ` +
    "Serve another file, or add --memory to serve a copy that is never written."
  );
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? "";
}
