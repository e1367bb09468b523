import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Eventually } from "../eventually.ts";
import { retryWhileHeld } from "./retry-while-held.ts";

/** Errors of a rename where overwriting in place can help: the file is a mount point, or not ours to replace. */
const RENAME_REFUSED = new Set(["EBUSY", "EXDEV", "EPERM"]);

/** A few ticks of the clock of file times. */
const TICKS_SECONDS = 0.025;

/** Pieces of text, in order. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

export interface CommitOptions {
  /** Moves the new file into place, synchronously; renames it by default. */
  readonly move?: (temporary: string, target: string) => void;
  /** Called when the system refuses the move, before the file is overwritten in place. */
  readonly beforeInPlace?: (temporary: string) => Promise<void>;
}

/** New content of a file, complete on the disk beside it, but not yet in place. */
export interface Staged {
  readonly hash: string;
  readonly bytes: number;
  readonly stats: Stats;
  /** Replaces the file, and returns its new stats. If that fails half-way, the complete copy stays. */
  commit(options?: CommitOptions): Eventually<Stats>;
  /** Removes the copy, unless a half-overwritten file needs it. */
  discard(): Eventually<void>;
}

/**
 * Replaces a file so that readers see the old content or the new, never a part: writes a temporary file beside it, flushes
 * it and renames it. Follows symbolic links, and preserves the file's mode and owner.
 */
export async function writeAtomically(file: string, pieces: Pieces): Promise<void> {
  if (!isSpecial(file)) {
    await (await stageFile(file, pieces)).commit();
    return;
  }
  const handle = await open(file, "w");
  try {
    for await (const piece of pieces) await handle.writeFile(piece);
  } finally {
    await handle.close();
  }
}

/** Whether a path is a device or a pipe, such as `/dev/null`: a rename would put a file in its place. */
function isSpecial(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/** The first half of an atomic write: everything but the rename. */
export async function stageFile(file: string, pieces: Pieces): Promise<Staged> {
  const target = realPath(file);
  if (isSpecial(target)) throw new Error("it is a device or a pipe, which cannot be replaced by a file.");
  const temporary = temporaryOf(target);
  let isNeeded = false;
  const discard = async (): Promise<void> => {
    if (isNeeded) return;
    await rm(temporary, { force: true }).catch(() => retryWhileHeld(() => rmSync(temporary, { force: true })));
  };
  const { hash, bytes, stats, isAlike } = await writeTemporary(temporary, target, pieces).catch(
    async (thrown: unknown) => {
      await discard();
      throw thrown;
    },
  );
  const commit: Staged["commit"] = async ({ move = replaceFile, beforeInPlace } = {}) => {
    try {
      if (!isAlike) throw new OwnerLost();
      move(temporary, target);
    } catch (thrown) {
      if (!RENAME_REFUSED.has((thrown as NodeJS.ErrnoException).code ?? "")) {
        await discard();
        throw thrown;
      }
      const content = await readFile(temporary);
      await beforeInPlace?.(temporary);
      isNeeded = true;
      const overwritten = await overwrite(target, content);
      isNeeded = false;
      await discard();
      return overwritten;
    }
    await syncFolder(dirname(target));
    return stats;
  };
  return { hash, bytes, stats, commit, discard };
}

/** A file of another user, or of a group that this process does not belong to, stays theirs only when it is overwritten. */
class OwnerLost extends Error {
  readonly code = "EPERM";
}

function replaceFile(temporary: string, target: string): void {
  retryWhileHeld(() => renameSync(temporary, target));
}

/** Writes the pieces to a new file with the mode and owner of the target, and flushes it. */
async function writeTemporary(
  temporary: string,
  target: string,
  pieces: Pieces,
): Promise<{ hash: string; bytes: number; stats: Stats; isAlike: boolean }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await open(temporary, "wx");
  try {
    const isAlike = await copyModeAndOwner(target, handle);
    for await (const piece of pieces) {
      const chunk = Buffer.from(piece);
      hash.update(chunk);
      await writeAll(handle, chunk, bytes);
      bytes += chunk.length;
    }
    await datePast(handle);
    await handle.sync();
    return { hash: hash.digest("hex"), bytes, stats: await handle.stat(), isAlike };
  } finally {
    await handle.close();
  }
}

/**
 * The same in one turn, and without waiting for the disk to have the new name. Throws where the new file would have another
 * owner; its commit throws where the system refuses to move it.
 */
export function stageFileNow(file: string, pieces: Iterable<string>): Staged {
  const target = realPath(file);
  const present = statSync(target, { throwIfNoEntry: false });
  if (present && (!present.isFile() || !isOwn(present))) throw new Error("it would have another owner.");
  const temporary = temporaryOf(target);
  const discard = (): void => retryWhileHeld(() => rmSync(temporary, { force: true }));
  const orDiscard = (work: () => Stats): Stats => {
    try {
      return work();
    } catch (thrown) {
      discard();
      throw thrown;
    }
  };
  const content = Buffer.from([...pieces].join(""));
  const stats = orDiscard(() => writeTemporaryNow(temporary, content, present));
  const commit: Staged["commit"] = ({ move = replaceFile } = {}) =>
    orDiscard(() => {
      move(temporary, target);
      return stats;
    });
  const hash = createHash("sha256").update(content).digest("hex");
  return { hash, bytes: content.length, stats, commit, discard };
}

/** Whether a file that we create has the same owner and group. */
function isOwn({ uid, gid }: Stats): boolean {
  return process.platform === "win32" || (uid === process.geteuid?.() && gid === process.getegid?.());
}

function writeTemporaryNow(temporary: string, content: Buffer, present: Stats | undefined): Stats {
  const fd = openSync(temporary, "wx");
  try {
    if (present) fchmodSync(fd, present.mode & 0o7777);
    for (let done = 0; done < content.length; ) done += writeSync(fd, content, done, content.length - done, done);
    const now = Date.now() / 1000;
    futimesSync(fd, now, now - TICKS_SECONDS);
    fsyncSync(fd);
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes the temporary files that earlier writes left in a folder. */
export function removeTemporaries(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, file] = /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(name) ?? [];
    if (file !== undefined && isOurs(file)) rmSync(join(folder, name), { force: true });
  }
}

function temporaryOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
}

/** Overwrites a file that cannot be replaced. Not atomic: the caller keeps a complete copy until it is done. */
async function overwrite(target: string, content: Buffer): Promise<Stats> {
  const handle = await open(target, "r+");
  try {
    await writeAll(handle, content, 0);
    await handle.truncate(content.length);
    await datePast(handle);
    await handle.sync();
    return await handle.stat();
  } finally {
    await handle.close();
  }
}

/** The synchronous form, for recovery at a start. */
export function overwriteNow(target: string, content: Buffer): void {
  const fd = openSync(target, "r+");
  try {
    for (let done = 0; done < content.length; ) done += writeSync(fd, content, done, content.length - done, done);
    ftruncateSync(fd, content.length);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The target of symbolic links, even if it does not exist yet. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (thrown) {
    const target = (thrown as NodeJS.ErrnoException).code === "ENOENT" ? linkTarget(file) : undefined;
    return target === undefined ? file : realPath(resolve(dirname(file), target));
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}

/**
 * Sets the modification time to a few ticks before now, so that every later write changes it: within one tick it would stay
 * the same, and a change of the same size would go unnoticed.
 */
async function datePast(handle: FileHandle): Promise<void> {
  const now = Date.now() / 1000;
  // Only the owner may do it.
  await handle.utimes(now, now - TICKS_SECONDS).catch(() => undefined);
}

/** Returns whether the new file has the mode, owner and group of the target. */
async function copyModeAndOwner(target: string, handle: FileHandle): Promise<boolean> {
  const present = await stat(target).catch(() => undefined);
  if (!present) return true;
  const { uid, gid } = await handle.stat();
  if (uid !== present.uid || gid !== present.gid) {
    // Only a privileged process may change the owner; others at most the group, to one that they belong to.
    const isChanged = await handle.chown(present.uid, present.gid).then(
      () => true,
      () => false,
    );
    if (!isChanged) return false;
  }
  // Last: a change of the owner takes bits away.
  await handle.chmod(present.mode & 0o7777);
  return true;
}

/** Makes the rename survive a power loss, on systems that allow it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // This file system does not support it.
  } finally {
    await handle?.close();
  }
}
