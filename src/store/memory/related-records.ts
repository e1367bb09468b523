import { meetsAll } from "../../query/filter.ts";
import { addToGroups, keyTexts, refersTo } from "../key-texts.ts";
import { type Key, MAX_RELATED } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Collection } from "./collection.ts";
import { PendingIndex } from "./indexes/index-set.ts";

/** The records whose key, as text, is one of the values, grouped by that text. While an index is being built, that. */
export function relatedRecords(
  collection: Collection,
  key: Key,
  values: ReadonlySet<string>,
): Map<string, StoredRecord[]> | PendingIndex {
  const groups = new Map<string, StoredRecord[]>();
  if (key.field === collection.idKey) {
    for (const value of values) {
      const record = collection.get(value);
      if (record && meetsAll(record.value, key.where)) groups.set(value, [record]);
    }
    return groups;
  }
  const index = collection.indexOf(key.field);
  if (index instanceof PendingIndex) return index;
  if (!index) {
    const isWanted = (text: string): boolean => values.has(text);
    for (const record of collection.records) {
      if (meetsAll(record.value, key.where)) addToGroups(groups, keyTexts(record.value, key), record, isWanted);
    }
    return groups;
  }
  let left = MAX_RELATED + 1;
  for (const value of values) {
    const group: StoredRecord[] = [];
    for (const record of index.get(value)) {
      // The index also has the elements of arrays where the key is a single one, and the joined texts of arrays.
      if (refersTo(record.value, key, value) && meetsAll(record.value, key.where)) group.push(record);
      if (group.length === left) break;
    }
    if (group.length > 0) groups.set(value, group);
    left -= group.length;
    if (left === 0) break;
  }
  return groups;
}
