import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Puts new text in place of a file so that readers see the old or the new whole, never a part: a temporary file beside
 * it, flushed, then renamed over it. A symbolic link stays one; the file's mode stays.
 */
export async function writeAtomically(file: string, write: (handle: FileWriter) => Promise<void>): Promise<void> {
  const target = resolveLink(file);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  const handle = await open(temporary, "wx", mode);
  try {
    try {
      await write((text) => handle.writeFile(text));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

/** Appends text to the file being written. */
export type FileWriter = (text: string) => Promise<void>;

function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
