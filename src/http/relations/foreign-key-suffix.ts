import pluralize from "pluralize";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { SUFFIXES } from "../../schema/named-relations.ts";
import type { Exported } from "../../store/store.ts";

/** Records looked at in each collection: enough to see its fields, few enough not to slow a start. */
export const SAMPLE = 1000;

/** The suffix of the foreign keys in the data, and the collections that hold such keys. */
export function suffixesIn(members: readonly Exported[]): Map<string, string[]> {
  const collections = members.filter((member) => member.kind === "collection");
  const singulars = new Set(collections.map(({ name }) => pluralize.singular(name)));
  const found = new Map<string, string[]>();
  for (const { name, records } of collections) {
    const keys = new Set(records.slice(0, SAMPLE).flatMap(({ value }) => (isJsonObject(value) ? keysOf(value) : [])));
    const isReference = (key: string, suffix: string): boolean =>
      key.endsWith(suffix) && singulars.has(key.slice(0, -suffix.length));
    for (const suffix of SUFFIXES) {
      if ([...keys].some((key) => isReference(key, suffix))) found.set(suffix, [...(found.get(suffix) ?? []), name]);
    }
  }
  return found;
}

/** The fields of a record; one with a list, such as `tagIds`, also by the name that a single value would have. */
function keysOf(record: JsonObject): string[] {
  return Object.entries(record).flatMap(([key, value]) =>
    Array.isArray(value) && key.endsWith("s") ? [key, key.slice(0, -1)] : [key],
  );
}
