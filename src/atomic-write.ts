import { createHash, randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Errors of a rename that writing in place gets around: the file is a mount point of its own, or not ours to replace. */
const RENAME_REFUSED = new Set(["EBUSY", "EXDEV", "EPERM"]);

/** Pieces of text, in order. */
export type Pieces = Iterable<string>;

/** New content of a file, complete and on the disk beside it, but not yet in its place. */
export interface Staged {
  readonly hash: string;
  readonly bytes: number;
  /** Puts it in place of the file at once. `beforeInPlace` is told when that is refused and the file must be overwritten. */
  commit(beforeInPlace?: (temporary: string) => Promise<void>): Promise<void>;
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
  const discard = (): Promise<void> => rm(temporary, { force: true });
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const handle = await open(temporary, "wx");
    try {
      await copyModeAndOwner(target, handle);
      for (const piece of pieces) {
        const chunk = Buffer.from(piece);
        hash.update(chunk);
        await writeAll(handle, chunk, bytes);
        bytes += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    await discard();
    throw thrown;
  }
  const commit: Staged["commit"] = async (beforeInPlace) => {
    try {
      await rename(temporary, target);
      await syncFolder(dirname(target));
    } catch (thrown) {
      if (!RENAME_REFUSED.has((thrown as NodeJS.ErrnoException).code ?? "")) {
        await discard();
        throw thrown;
      }
      await beforeInPlace?.(temporary);
      await overwrite(target, await readFile(temporary));
      await discard();
    }
  };
  return { hash: hash.digest("hex"), bytes, commit, discard };
}

/** What the temporary files of a target begin with, for whoever cleans up after a crash. */
export function temporaryPrefix(target: string): string {
  return `.${basename(target)}.`;
}

/** Not atomic: for a file that cannot be replaced. Whoever calls it keeps a complete copy until it is done. */
export async function overwrite(target: string, content: Buffer): Promise<void> {
  const handle = await open(target, "r+");
  try {
    await writeAll(handle, content, 0);
    await handle.truncate(content.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The file itself behind symbolic links; the path as given where nothing is there yet. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}

async function copyModeAndOwner(target: string, handle: FileHandle): Promise<void> {
  const present = await stat(target).catch(() => undefined);
  if (!present) return;
  await handle.chmod(present.mode & 0o7777);
  // Only a privileged process may give a file away; for any other the owner is right already.
  await handle.chown(present.uid, present.gid).catch(() => undefined);
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
