import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
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
  unlessThere(() => mkdirSync(folder));
  // Looked at each time: whoever made the folder may have ended before this.
  unlessThere(() => writeFileSync(join(folder, IGNORE_FILE), "*\n", { flag: "wx" }));
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
    const names = readdirSync(folder);
    if (names.some((name) => name !== IGNORE_FILE)) return;
    for (const name of names) unlinkSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // Somebody else removed it, or keeps something there: either way it is not ours to mind.
  }
}

/** Gives one of our files a name that nobody has, and tells which. */
export function setAside(path: string): string {
  const aside = asidePath(path);
  renameSync(path, aside);
  return aside;
}

export function asidePath(path: string): string {
  for (let time = Date.now(); ; time++) {
    const aside = `${path}.${time}.aside`;
    if (!existsSync(aside)) return aside;
  }
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}
