import { isJsonObject, type Json } from "../base/json/json.ts";
import { textOf } from "../query/text.ts";
import type { Key } from "./store.ts";

/** The texts of the ids that a record refers to by a key; ids are compared as text. A single id counts as a list of one. */
export function keyTexts(record: Json, { field, isList }: Key): readonly string[] {
  const value = isJsonObject(record) && Object.hasOwn(record, field) ? record[field] : undefined;
  if (value === undefined || value === null) return [];
  if (!isList) return [textOf(value)];
  const ids = Array.isArray(value) ? value : [value];
  return ids.flatMap((id) => (typeof id === "object" ? [] : textOf(id)));
}

/** Whether a record refers to an id by a key. */
export function refersTo(record: Json, key: Key, id: string): boolean {
  if (key.isList) return keyTexts(record, key).includes(id);
  const value = isJsonObject(record) && Object.hasOwn(record, key.field) ? record[key.field] : undefined;
  return value !== undefined && value !== null && textOf(value) === id;
}

/** Adds a record to the groups of all its texts, once to each. `isWanted` tells which texts count. */
export function addToGroups<T>(
  groups: Map<string, T[]>,
  texts: readonly string[],
  record: T,
  isWanted: (text: string) => boolean = () => true,
): void {
  for (const text of texts) {
    if (!isWanted(text)) continue;
    const group = groups.get(text);
    if (!group) groups.set(text, [record]);
    else if (group.at(-1) !== record) group.push(record);
  }
}
