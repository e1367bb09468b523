import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { messageOf, StartError } from "../../base/errors.ts";
import { retryWhileHeld } from "../../base/files/retry-while-held.ts";
import { makeOwnFolder, ownFile, removeOwnFolderIfEmpty } from "./own-folder.ts";

/** The process that holds a data file. The start time distinguishes it from a later process with the same pid. */
export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
  /** The address that it serves the data at, once it listens. */
  readonly url?: string;
}

export interface Lock {
  /** False if the folder was read-only at the start; nothing in it may be touched then. */
  readonly isTaken: boolean;
  /** Verifies that the lock is still ours, and takes it again if it was removed. Throws when another process has it. */
  renew(): void;
  /** Adds the address of the server to the lock, for processes that want to join it. */
  announce(url: string): void;
  release(): void;
}

/** Files that this process holds. Its own pid in a lock file proves nothing: a restarted container reuses pids. */
const heldHere = new Set<string>();

/** Errors of a folder that cannot be written now, so that there is nothing to guard yet. */
const NOT_WRITABLE = new Set(["EACCES", "EROFS", "EPERM", "ENOSPC", "EDQUOT"]);

/** More attempts than processes that could start at the same moment. */
const MAX_ATTEMPTS = 1000;

/** Locks the data file for this process; throws a `StartError` that names the holder when another live process has it. */
export function acquireLock(source: string, warn: (text: string) => void): Lock {
  const file = ownFile(source, "lock");
  if (heldHere.has(file)) throw new StartError(heldMessage(source, file, myself()));
  let isTaken = true;
  let holder = myself();
  try {
    take(source, file, holder);
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
      if (!isMine(parseHolder(readText(file)))) take(source, file, holder);
    },
    announce(url) {
      holder = { ...holder, url };
      if (isReleased || !isMine(parseHolder(readText(file)))) return;
      try {
        const temporary = `${file}.${process.pid}`;
        writeFileSync(temporary, JSON.stringify(holder));
        retryWhileHeld(() => renameSync(temporary, file));
      } catch (thrown) {
        // Without the address there is still a lock.
        if (!NOT_WRITABLE.has(codeOf(thrown))) throw thrown;
      }
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      heldHere.delete(file);
      if (isMine(parseHolder(readText(file)))) retryWhileHeld(() => rmSync(file, { force: true }));
      removeOwnFolderIfEmpty(source);
    },
  };
}

/** The live process, other than this one, that holds the data file; undefined when there is none. */
export function liveHolder(source: string): LockHolder | undefined {
  return aliveAndOther(parseHolder(readText(ownFile(source, "lock"))));
}

function take(source: string, file: string, holder: LockHolder): void {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const seen = readLock(source, file);
    const other = aliveAndOther(parseHolder(seen));
    if (other) throw new StartError(heldMessage(source, file, other));
    makeOwnFolder(source);
    if (seen !== undefined) removeStale(file, seen);
    try {
      createWhole(file, JSON.stringify(holder));
      return;
    } catch (thrown) {
      // Another process was faster, or has just removed the empty folder: try again.
      if (!["EEXIST", "ENOENT"].includes(codeOf(thrown))) throw thrown;
    }
  }
  throw new StartError(`${file} can neither be taken nor removed. Remove it by hand if no standin serves ${source}.`);
}

/** Refuses a lock that cannot be read: it may belong to a live process of another user. */
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

/** Creates a lock together with its content: an empty one would be mistaken for the leftover of a crash. */
function createWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text);
    retryWhileHeld(() => linkSync(temporary, file));
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") throw thrown;
    // Not every file system supports links.
    writeFileSync(file, text, { flag: "wx" });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function aliveAndOther(holder: LockHolder | undefined): LockHolder | undefined {
  if (!holder || holder.pid === process.pid) return undefined;
  // A process on another machine may be alive; refuse rather than share the file with it.
  if (holder.host !== hostname()) return holder;
  return isAlive(holder.pid) && startTimeOf(holder.pid) === holder.startedAt ? holder : undefined;
}

function isMine(holder: LockHolder | undefined): boolean {
  const { pid, startedAt, host } = myself();
  return holder?.pid === pid && holder.startedAt === startedAt && holder.host === host;
}

/** Moves the lock away and checks it again before removing it, so that a lock taken meanwhile survives. */
function removeStale(file: string, seen: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    retryWhileHeld(() => renameSync(file, aside));
  } catch (thrown) {
    // Another process was faster.
    if (codeOf(thrown) === "ENOENT") return;
    throw thrown;
  }
  if (readText(aside) === seen) rmSync(aside, { force: true });
  else retryWhileHeld(() => renameSync(aside, file));
}

function myself(): LockHolder {
  return { pid: process.pid, startedAt: startTimeOf(process.pid), host: hostname() };
}

/** Undefined for a half-written lock and for any other invalid content. */
function parseHolder(text: string | undefined): LockHolder | undefined {
  try {
    const holder = JSON.parse(text ?? "null") as Partial<LockHolder> | null;
    return Number.isInteger(holder?.pid) ? (holder as LockHolder) : undefined;
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
 * The start time of a process in kernel ticks (proc(5), field 22 of stat); empty where the system has no such file. A
 * zombie (state Z) has ended, so it gets a start time that matches none.
 */
function startTimeOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  // The command name, in parentheses, may contain spaces; the fields after it do not.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return fields[0] === "Z" ? "ended" : (fields[19] ?? "");
}

function heldMessage(source: string, file: string, holder: LockHolder): string {
  const at = holder.url === undefined ? "" : ` at ${holder.url}`;
  return (
    `${source} is in use by another standin (pid ${holder.pid}${doubtAbout(holder, file)})${at}. ` +
    "Serve another file, or add --memory to serve a copy that is never written."
  );
}

function doubtAbout({ pid, host, startedAt }: LockHolder, file: string): string {
  if (host !== hostname()) return ` on ${host}; if that one is gone, remove ${file}`;
  // Where the system does not tell start times, a later process may have the same pid.
  const isSure = pid === process.pid || startedAt !== "";
  return isSure ? "" : `; if that is another program, remove ${file}`;
}

function codeOf(thrown: unknown): string {
  return (thrown as NodeJS.ErrnoException).code ?? "";
}
