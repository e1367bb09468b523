import { mkdirSync, readdirSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const FOLDER = ".standin";
const IGNORE_FILE = ".gitignore";

/** Where standin keeps what is its own (journal, lock), beside the user's data: `data/db.json` -> `data/.standin`. */
export function ownFolder(source: string): string {
  return join(dirname(source), FOLDER);
}

/** The path of one of our files for a source: `journal` -> `data/.standin/db.json.journal`. */
export function ownFile(source: string, kind: string): string {
  return join(ownFolder(source), `${basename(source)}.${kind}`);
}

/** Makes the folder, with a file that tells git to look away. The folder above it must exist. */
export function makeOwnFolder(source: string): void {
  const folder = ownFolder(source);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, IGNORE_FILE), "*\n");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

/** Keeps a text of ours that nobody else may read. */
export function writeOwnFile(source: string, kind: string, text: string): void {
  makeOwnFolder(source);
  const file = ownFile(source, kind);
  // A file that is there keeps its mode, and a link leads elsewhere.
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
}

/** Removes the folder when nothing but our ignore file is left in it. */
export function removeOwnFolderIfEmpty(source: string): void {
  const folder = ownFolder(source);
  try {
    if (readdirSync(folder).some((name) => name !== IGNORE_FILE)) return;
    unlinkSync(join(folder, IGNORE_FILE));
    rmdirSync(folder);
  } catch {
    // Somebody else removed it, or keeps something there: either way it is not ours to mind.
  }
}
