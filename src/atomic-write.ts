import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { type FileHandle, open, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Errors of a rename that writing in place gets around: the file is a mount point of its own, or not ours to replace. */
const RENAME_REFUSED = new Set(["EBUSY", "EXDEV", "EPERM"]);

const TICKS_SECONDS = 0.025;

/** Pieces of text, in order. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

export interface CommitOptions {
  /** Moves the new file to its place, in the turn of the call. A rename without it. */
  readonly move?: (temporary: string, target: string) => void;
  /** Told when the system refuses to move it, so that the file must be overwritten. */
  readonly beforeInPlace?: (temporary: string) => Promise<void>;
}

/** New content of a file, complete and on the disk beside it, but not yet in its place. */
export interface Staged {
  readonly hash: string;
  readonly bytes: number;
  /** Puts it in place of the file, and gives back what the file is then. If that fails half-way, the complete copy stays. */
  commit(options?: CommitOptions): Promise<Stats>;
  /** Takes the copy away, unless a file that is half overwritten needs it. */
  discard(): Promise<void>;
}

/**
 * Puts new text in place of a file so that readers see the old or the new whole, never a part: a temporary file beside
 * it, flushed, then renamed over it. A symbolic link stays one; the file's mode and owner stay.
 */
export async function writeAtomically(file: string, pieces: Pieces): Promise<void> {
  await (await stageFile(file, pieces)).commit();
}

/** The first half of an atomic write: everything but taking the place. */
export async function stageFile(file: string, pieces: Pieces): Promise<Staged> {
  const target = realPath(file);
  const temporary = join(dirname(target), `${temporaryPrefix(target)}${randomBytes(6).toString("hex")}.tmp`);
  let isNeeded = false;
  const discard = async (): Promise<void> => {
    if (!isNeeded) await rm(temporary, { force: true });
  };
  const hash = createHash("sha256");
  let bytes = 0;
  let facts: Stats;
  try {
    const handle = await open(temporary, "wx");
    try {
      await copyModeAndOwner(target, handle);
      for await (const piece of pieces) {
        const chunk = Buffer.from(piece);
        hash.update(chunk);
        await writeAll(handle, chunk, bytes);
        bytes += chunk.length;
      }
      await datePast(handle);
      await handle.sync();
      facts = await handle.stat();
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    await discard();
    throw thrown;
  }
  const commit: Staged["commit"] = async ({ move = renameSync, beforeInPlace } = {}) => {
    try {
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
    return facts;
  };
  return { hash: hash.digest("hex"), bytes, commit, discard };
}

/** Removes what earlier writes of a folder's files left half made, or complete but needless by now. */
export function removeTemporaries(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, file] = /^\.(.+)\.[0-9a-f]{12}\.tmp$/.exec(name) ?? [];
    if (file !== undefined && isOurs(file)) rmSync(join(folder, name), { force: true });
  }
}

function temporaryPrefix(target: string): string {
  return `.${basename(target)}.`;
}

/** Not atomic: for a file that cannot be replaced. Whoever calls it keeps a complete copy until it is done. */
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

/** The synchronous form, for a start, which cannot wait. */
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

/** The file itself behind symbolic links, also where it is not there yet. */
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
 * Dates a file by a few ticks of the clock before now, so that whoever writes to it from now on gives it another date:
 * within one tick it would be the same, and with the same size the change could not be seen.
 */
async function datePast(handle: FileHandle): Promise<void> {
  const now = Date.now() / 1000;
  // Only the owner may.
  await handle.utimes(now, now - TICKS_SECONDS).catch(() => undefined);
}

async function copyModeAndOwner(target: string, handle: FileHandle): Promise<void> {
  const present = await stat(target).catch(() => undefined);
  if (!present) return;
  await handle.chmod(present.mode & 0o7777);
  // Only a privileged process may give a file away; any other keeps at least the group, where it is a member of it.
  await handle
    .chown(present.uid, present.gid)
    .catch(() => handle.chown(-1, present.gid))
    .catch(() => undefined);
}

/** Makes the rename itself survive a power loss; some systems do not allow it, and then there is nothing more to do. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Not on this file system.
  } finally {
    await handle?.close();
  }
}
