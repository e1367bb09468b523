import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realPath } from "../../atomic-write.ts";
import { messageOf, StartError } from "../../errors.ts";
import { type Json, type JsonObject, JsonSyntaxError, parseJson } from "../../json.ts";
import { databaseProblem } from "../memory/state.ts";
import type { Exported } from "../store.ts";
import type { Hashes } from "./journal-format.ts";
import { renderDatabase, renderMemberFile } from "./render.ts";

/** What one JavaScript string can hold. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
/** The hash of a file that is not there. */
export const ABSENT = "";

export interface Loaded {
  readonly database: JsonObject;
  /** The content of each file, by name. */
  readonly hashes: Hashes;
  readonly bytes: number;
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
  /** The file that holds a member. */
  fileOf(member: string): string;
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
    files: () => [name],
    load: ({ refuseBlank = false } = {}) => {
      const { value, hash, bytes } = readJson(source, refuseBlank);
      const database = value ?? {};
      const problem = databaseProblem(database);
      if (problem) throw new StartError(`${source}: ${problem}`);
      return { database: database as JsonObject, hashes: { [name]: hash }, bytes };
    },
    fileOf: () => name,
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
    load: ({ refuseBlank = false } = {}) => {
      const database: JsonObject = {};
      const hashes: Record<string, string> = {};
      let total = 0;
      for (const name of files()) {
        const { value, hash, bytes } = readJson(join(folder, name), refuseBlank);
        Object.defineProperty(database, memberOf(name), { value: value ?? [], enumerable: true, writable: true });
        hashes[name] = hash;
        total += bytes;
      }
      const problem = databaseProblem(database);
      if (problem) throw new StartError(`${source}: ${problem}`);
      return { database, hashes, bytes: total };
    },
    fileOf,
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
    return hashOf(readFileSync(path));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return ABSENT;
    throw thrown;
  }
}

/** A blank file holds nothing: undefined. */
function readJson(path: string, refuseBlank: boolean): { value: Json | undefined; hash: string; bytes: number } {
  let content: Buffer;
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) {
      throw new StartError(
        `${path} has ${size} bytes; a data file may have at most ${MAX_FILE_BYTES}. ` +
          "Larger data belong into PostgreSQL (standin import).",
      );
    }
    content = readFileSync(path);
  } catch (thrown) {
    throw thrown instanceof StartError ? thrown : new StartError(`${path} cannot be read: ${messageOf(thrown)}`);
  }
  const text = content.toString("utf8");
  const facts = { hash: hashOf(content), bytes: content.length };
  if (text.trim() === "") {
    if (refuseBlank) throw new StartError(`${path} is empty.`);
    return { value: undefined, ...facts };
  }
  try {
    return { value: parseJson(text), ...facts };
  } catch (thrown) {
    if (thrown instanceof JsonSyntaxError) throw new StartError(`${path} is not valid JSON. ${thrown.message}`);
    throw thrown;
  }
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
