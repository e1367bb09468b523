import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import type { NewMember } from "./add-members.ts";

/** What a file contains, or why it cannot be imported. */
export type ReadDatabase =
  | { readonly kind: "members"; readonly members: readonly NewMember[] }
  | { readonly kind: "problem"; readonly message: string };

/** Reads a file into collections: a data file with all of them, or the records of one, which is named after the file. */
export function readDatabase(text: string, fileName: string): ReadDatabase {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (thrown) {
    return fail(`This is not valid JSON: ${(thrown as Error).message}`);
  }
  const name = nameFor(fileName);
  if (Array.isArray(value)) return readMembers({ [name]: value });
  if (!isJsonObject(value)) return fail("The file contains neither records nor collections.");
  if (Object.values(value).some(Array.isArray)) return readMembers(value);
  return { kind: "members", members: [{ name, kind: "singleton", value }] };
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
