import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { SeedOptions } from "./seed-options.ts";

/** Gives records that a path finds by a field in a part of them (`metadata.name`) names of their own, where an example repeats. */
export function withOwnNames(
  { isValid }: Pick<SeedOptions, "isValid">,
  { operations, record: schema }: BoundCollection,
  records: readonly JsonObject[],
): JsonObject[] {
  const keys = operations.find(({ action }) => action === "read")?.keys ?? [];
  const [path] = keys.map((key) => key.path);
  if (!path || keys.length > 1) return [...records];
  const taken = new Set<string>();
  return records.map((record) => {
    const held = valueAtPointer(record, path);
    if (typeof held !== "string") return record;
    let name = held;
    for (let count = 2; taken.has(name); count++) name = `${held}-${count}`;
    const named = name === held ? record : withValueAt(record, path, name);
    if (!isValid(schema, named)) return record;
    taken.add(name);
    return named;
  });
}

function withValueAt(record: JsonObject, [first = "", ...rest]: readonly string[], value: Json): JsonObject {
  const part = record[first];
  const inner = rest.length > 0 && isJsonObject(part) ? withValueAt(part, rest, value) : value;
  return { ...record, [first]: inner };
}
