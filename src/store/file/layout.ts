import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { realPath } from "../../atomic-write.ts";
import { messageOf, StartError } from "../../errors.ts";
import { type Json, type JsonObject, parseJson } from "../../json.ts";
import { JsonSyntaxError } from "../../json-syntax.ts";
import { databaseProblem } from "../memory/state.ts";
import type { Exported } from "../store.ts";
import { firmLook, type Look } from "./fingerprint.ts";
import { giveBackMemory } from "./give-back-memory.ts";
import { LazyHash } from "./lazy-hash.ts";
import { renderDatabase, renderMemberFile } from "./render.ts";

/** What one JavaScript string can hold. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
/** The hash of a file that is not there. */
export const ABSENT = "";

export interface Loaded {
  readonly database: JsonObject;
  /** The files that were read, by name. */
  readonly seen: ReadonlyMap<string, Seen>;
  readonly bytes: number;
}

/** What a file held, and how it looked right before it was read: whoever changes it later gives it another look. */
export interface Seen {
  readonly hash: string;
  readonly look: Look;
}

/** How a database lies on the disk: in one file, or in a folder with a file per member. */
export interface Layout {
  /** The folder the files lie in. */
  readonly folder: string;
  /** The file or folder itself. */
  readonly place: string;
  /** What our own files (journal, lock) are named after. */
  readonly anchor: string;
  /** Reads everything; a `StartError` names the file and the place of a mistake. A blank file is an empty one, as in 0.17. */
  load(options?: { refuseBlank?: boolean }): Loaded;
  /** The data files that are there now. */
  files(): string[];
  /** Those that we never remove ourselves: missing ones were lost. */
  readonly lasting: readonly string[];
  /** The file that holds a member. */
  fileOf(member: string): string;
  /** A name for another version of a file (of everything, when none is named), not to be taken for data. */
  versionName(version: string, file?: string): string;
  /** Each file with the text it must hold for these members. */
  render(members: readonly Exported[]): Map<string, Iterable<string>>;
}

/** `db.json`: every member in one file. */
export function singleFile(source: string): Layout {
  const path = realPath(source);
  const name = basename(path);
  return {
    folder: dirname(path),
    place: path,
    anchor: path,
    files: () => (existsSync(path) ? [name] : []),
    lasting: [name],
    load: ({ refuseBlank = false } = {}) => {
      const { value, seen, bytes } = readJson(path, refuseBlank, source);
      const database = value ?? {};
      const problem = databaseProblem(database);
      if (problem) throw new StartError(`${source}: ${problem}`);
      return { database: database as JsonObject, seen: new Map([[name, seen]]), bytes };
    },
    fileOf: () => name,
    // `db.outside-1763180000000.json`: a data file like any other.
    versionName: (version) => `${basename(name, extname(name))}.${version}${extname(name) || ".json"}`,
    render: (members) => new Map([[name, renderDatabase(members)]]),
  };
}

/** `data/`: `data/products.json` holds the collection `products`, and so on. */
export function folderOfFiles(source: string): Layout {
  const folder = realPath(source);
  const fileOf = (member: string): string => `${encodeURIComponent(member)}.json`;
  // Only names that we would give ourselves, so that a member is written back to the file it came from.
  const files = (): string[] => readdirSync(folder).filter(isDataFile).sort();
  const isDataFile = (name: string): boolean =>
    name.endsWith(".json") && !name.startsWith(".") && fileOf(memberOf(name)) === name;
  return {
    folder,
    place: folder,
    anchor: join(folder, basename(folder)),
    files,
    lasting: [],
    load: ({ refuseBlank = false } = {}) => {
      const database: JsonObject = {};
      const seen = new Map<string, Seen>();
      let total = 0;
      const names = files();
      if (names.length === 0 && refuseBlank) throw new StartError(`${source} holds no data files.`);
      for (const name of names) {
        const file = readJson(join(folder, name), refuseBlank);
        Object.defineProperty(database, memberOf(name), { value: file.value ?? [], enumerable: true, writable: true });
        seen.set(name, file.seen);
        total += file.bytes;
      }
      const problem = databaseProblem(database);
      if (problem) throw new StartError(`${source}: ${problem}`);
      return { database, seen, bytes: total };
    },
    fileOf,
    // `products.json.outside-1763180000000`: anything that ends in .json would be a collection.
    versionName: (version, file = `${basename(folder)}.json`) => `${file}.${version}`,
    render: (members) => new Map(members.map((member) => [fileOf(member.name), renderMemberFile(member)])),
  };
}

function memberOf(file: string): string {
  const stem = file.slice(0, -".json".length);
  try {
    return decodeURIComponent(stem);
  } catch {
    return stem;
  }
}

/** The hash of a file as it is now. */
export function hashFile(path: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return ABSENT;
    throw thrown;
  }
}

interface ReadFile {
  /** Undefined for a blank file, which holds nothing. */
  readonly value: Json | undefined;
  readonly seen: Seen;
  readonly bytes: number;
}

/** `name` is what the person calls the file. The path must be absolute: a relative one goes astray with its folder. */
function readJson(path: string, refuseBlank: boolean, name = path): ReadFile {
  const { text, bytes, look } = readWhole(path, name);
  // The bytes of the text are those of the file, and Node keeps none of them beside it: a large file is in memory once.
  const hash = new LazyHash(text);
  void hash.done.then(() => giveBackMemory(bytes));
  const seen: Seen = {
    look,
    get hash() {
      return hash.value;
    },
  };
  const facts = { seen, bytes };
  if (text.trim() === "") {
    if (refuseBlank) throw new StartError(`${name} is empty.`);
    return { value: undefined, ...facts };
  }
  try {
    return { value: parseJson(text), ...facts };
  } catch (thrown) {
    if (thrown instanceof JsonSyntaxError) throw new StartError(`${name} is not valid JSON. ${thrown.message}`);
    throw thrown;
  }
}

function readWhole(path: string, name: string): { text: string; bytes: number; look: Look } {
  try {
    const found = statSync(path);
    if (found.size > MAX_FILE_BYTES) {
      throw new StartError(
        `${name} has ${found.size} bytes; a data file may have at most ${MAX_FILE_BYTES}. ` +
          "Larger data belong into PostgreSQL (standin import).",
      );
    }
    const text = readFileSync(path, "utf8");
    // Read as anything else, its letters would be lost for good with the first save.
    if (text.includes("\uFFFD") && !isUtf8(readFileSync(path))) {
      throw new StartError(`${name} is not UTF-8 text. Convert it, for example with iconv.`);
    }
    return { text, bytes: found.size, look: firmLook(found) };
  } catch (thrown) {
    throw thrown instanceof StartError ? thrown : new StartError(`${name} cannot be read: ${messageOf(thrown)}`);
  }
}
