import { existsSync } from "node:fs";
import { join } from "node:path";
import { OWN_FOLDER } from "./own-folder.ts";

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i;

/** The reason why a folder cannot have files of all these names; undefined when it can. */
export function namesProblem(folder: string, files: Iterable<string>): string | undefined {
  const ignoresCase = hasTwoSpellings(folder);
  const known = new Map<string, string>();
  for (const file of files) {
    if (process.platform === "win32" && (DEVICE.test(file) || file.includes("*"))) {
      return `Windows allows no file named ${file}.`;
    }
    const key = ignoresCase ? file.toLowerCase() : file;
    const other = known.get(key) ?? file;
    if (other !== file) return `${other} and ${file} would be the same file, because this file system ignores case.`;
    known.set(key, file);
  }
  return undefined;
}

/** Whether our own folder, which is there while the data is served, is found in capitals, too. */
function hasTwoSpellings(folder: string): boolean {
  return existsSync(join(folder, OWN_FOLDER.toUpperCase()));
}
