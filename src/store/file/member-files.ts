import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { isDataName } from "./formats/formats.ts";
import { OWN_FOLDER } from "./own-folder.ts";

const EXTENSION = ".json";
/** Characters that some system allows in no file name, or that mean something else there; % begins an encoded one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: no system agrees on them in file names.
const UNSAFE = /[\u0000-\u001f\u007f/\\:*?"<>|%]|^[. ]|[. ]$/;

/** The files of a folder by the member they hold: `größe.json` and `gr%C3%B6%C3%9Fe.json` both hold `größe`. */
export class MemberFiles {
  readonly #files = new Map<string, string>();

  /** The data files among these names, sorted. A member stays in its file as long as that is there. */
  among(names: readonly string[]): string[] {
    const files = names.filter(isDataFile).sort();
    const present = new Set(files);
    for (const file of files) {
      const member = memberOfFile(file);
      const known = this.#files.get(member);
      if (known === undefined || !present.has(known)) this.#files.set(member, file);
    }
    return files;
  }

  /** The file of a member: the one it came from, otherwise a new one with a name that is as readable as possible. */
  of(member: string): string {
    return this.#files.get(member) ?? newFileOf(member);
  }
}

/** The member that a file holds. Some systems store names decomposed (o and two dots for ö), which no URL has. */
export function memberOfFile(file: string): string {
  const stem = file.slice(0, -extname(file).length).normalize("NFC");
  try {
    return decodeURIComponent(stem);
  } catch {
    return stem;
  }
}

function newFileOf(member: string): string {
  const isReadable = !UNSAFE.test(member) && member.normalize("NFC") === member;
  // A file whose name begins with a dot is none of ours.
  return `${isReadable ? member : encodeURIComponent(member).replace(/^\./, "%2E")}${EXTENSION}`;
}

/** A name with a replacement character was no text, so that the file cannot be opened by it. */
function isDataFile(name: string): boolean {
  return isDataName(name) && !name.startsWith(".") && !name.includes("\uFFFD");
}

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
