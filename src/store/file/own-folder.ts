import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { retryWhileHeld } from "../../base/files/retry-while-held.ts";

export const OWN_FOLDER = ".standin";
const IGNORE_FILE = ".gitignore";

/** The folder of standin's own files (journal, lock) beside the user's data: `data/db.json` -> `data/.standin`. */
export function ownFolder(source: string): string {
  return join(dirname(source), OWN_FOLDER);
}

/** The path of one of our files for a source: `journal` -> `data/.standin/db.json.journal`. */
export function ownFile(source: string, kind: string): string {
  return join(ownFolder(source), `${basename(source)}.${kind}`);
}

/** Creates the folder, with a `.gitignore` for all its files. Its parent must exist. */
export function makeOwnFolder(source: string): void {
  const folder = ownFolder(source);
  unlessThere(() => mkdirSync(folder));
  // Checked each time: the process that created the folder may have ended before this step.
  unlessThere(() => writeFileSync(join(folder, IGNORE_FILE), "*\n", { flag: "wx" }));
}

/** Writes one of our files so that only its owner may read it. */
export function writeOwnFile(source: string, kind: string, text: string): void {
  makeOwnFolder(source);
  const file = ownFile(source, kind);
  // An existing file would keep its mode, and a link would lead elsewhere.
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
}

/** Writes one of our files unless it is there. */
export function keepOwnFile(source: string, kind: string, text: string): void {
  makeOwnFolder(source);
  unlessThere(() => writeFileSync(ownFile(source, kind), text, { mode: 0o600, flag: "wx" }));
}

/** Removes the folder when only our `.gitignore` is left in it. */
export function removeOwnFolderIfEmpty(source: string): void {
  const folder = ownFolder(source);
  try {
    const names = readdirSync(folder);
    if (names.some((name) => name !== IGNORE_FILE)) return;
    for (const name of names) unlinkSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // Another process removed it, or has just added a file: both are fine.
  }
}

/** Renames one of our files to an unused name, and returns that. */
export function setAside(path: string): string {
  const aside = asidePath(path);
  retryWhileHeld(() => renameSync(path, aside));
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
