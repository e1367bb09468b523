import { isJsonObject, type JsonObject, parseJson } from "../../api/json.ts";
import { readImport, recordsIn } from "../../data/files/import-file.ts";
import type { NewMember } from "./add-members.ts";

/** The collections in a file, or why it cannot be imported. */
export type ReadDatabase =
  | { readonly kind: "members"; readonly members: readonly NewMember[] }
  | { readonly kind: "problem"; readonly message: string };

/**
 * Reads a file into collections: a data file with all of them, or the records of one as JSON or CSV, which is named after the
 * file.
 */
export function readDatabase(text: string, fileName: string): ReadDatabase {
  const name = nameFor(fileName);
  const database = parseObject(text);
  if (database && Object.values(database).some(Array.isArray)) return readMembers(database);
  if (database) return { kind: "members", members: [{ name, kind: "singleton", value: database }] };
  const { records, problems } = recordsIn(readImport(text, []), {});
  const [problem] = problems;
  if (!problem) return { kind: "members", members: [{ name, kind: "collection", records }] };
  return fail(problem.place === "" ? problem.message : `${problem.place}: ${problem.message}`);
}

/** Undefined for a list, a table, or a record on each line. */
function parseObject(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

function readMembers(database: JsonObject): ReadDatabase {
  const members: NewMember[] = [];
  for (const [name, value] of Object.entries(database)) {
    if (name === "$schema") continue;
    if (isJsonObject(value)) members.push({ name, kind: "singleton", value });
    else if (Array.isArray(value) && value.every(isJsonObject)) {
      members.push({ name, kind: "collection", records: value });
    } else return fail(`${name} is neither a list of records nor an object.`);
  }
  return { kind: "members", members };
}

function fail(message: string): ReadDatabase {
  return { kind: "problem", message };
}

/** `Order lines (2).csv` becomes `order_lines_2`. */
function nameFor(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("_") ?? "records";
}
