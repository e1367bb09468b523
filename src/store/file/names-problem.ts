import { existsSync } from "node:fs";
import { join } from "node:path";
import { OWN_FOLDER } from "./own-folder.ts";

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i;
/** Of the 255 bytes that most systems allow, those that names of temporary files and conflict copies leave. */
const MAX_NAME_BYTES = 230;

/** The reason why a folder cannot have files of all these names; undefined when it can. */
export function namesProblem(folder: string, files: Iterable<string>): string | undefined {
  const ignoresCase = hasTwoSpellings(folder);
  const known = new Map<string, string>();
  for (const file of files) {
    if (Buffer.byteLength(file) > MAX_NAME_BYTES) return `The name of a file has at most ${MAX_NAME_BYTES} bytes.`;
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
