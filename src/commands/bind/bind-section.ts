import { existsSync, readFileSync } from "node:fs";
import { StartError } from "../../base/errors.ts";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../../base/json/json.ts";
import { type Bindings, type BoundCollection, isBelowRecord } from "../../openapi/bind/binding.ts";

/** The `bind` section of a config file that says what was found, for people to edit. */
export function bindSection({ collections }: Bindings): JsonObject {
  return Object.fromEntries(collections.map((collection) => [collection.name, entryFor(collection)]));
}

function entryFor({ idKey, hidesId, operations, isSingle }: BoundCollection): JsonObject {
  const onList = operations.find(({ action }) => action === "list" || action === "create");
  const onItem = operations.find((one) => one.idParameter !== undefined && !isBelowRecord(one));
  const list = operations.find(({ action }) => action === "list");
  const read = operations.find(({ action }) => action === "read");
  const itemAt = read?.at && isWritable(read.at) && { itemAt: read.at.join(".") };
  if (isSingle) return { ...(read && { item: read.operation.path.text }), ...itemAt };
  return {
    ...(onList && { list: onList.operation.path.text }),
    ...(onItem && { item: onItem.operation.path.text }),
    ...(!hidesId && { id: idKey }),
    ...(list?.at && isWritable(list.at) && { at: list.at.join(".") }),
    ...itemAt,
  };
}

/** A dot in a name would be taken for a step. */
function isWritable(names: readonly string[]): boolean {
  return names.every((name) => !name.includes("."));
}

/** Adds the entries that a config file lacks, and returns their names. Entries of the file are never changed. */
export async function addBindSection(file: string, source: string, section: JsonObject): Promise<string[]> {
  const config: JsonObject = existsSync(file) ? parseJson(readFileSync(file, "utf8")) : { source };
  const own = isJsonObject(config.bind) ? config.bind : {};
  const added = Object.keys(section).filter((name) => !Object.hasOwn(own, name));
  if (added.length === 0) return [];
  const bind = { ...own, ...Object.fromEntries(added.map((name) => [name, section[name]!])) };
  try {
    await writeAtomically(file, [`${stringifyJson({ ...config, bind }, 2)}\n`]);
  } catch (thrown) {
    throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
  }
  return added;
}
