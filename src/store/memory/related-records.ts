import { isJsonObject } from "../../json.ts";
import { textOf } from "../../query/text.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Collection } from "./collection.ts";
import { PendingIndex } from "./indexes/index-set.ts";

/** The records whose field, as text, is one of the values, grouped by that text. While an index is being built, that. */
export function relatedRecords(
  collection: Collection,
  field: string,
  values: ReadonlySet<string>,
): Map<string, StoredRecord[]> | PendingIndex {
  const groups = new Map<string, StoredRecord[]>();
  if (field === collection.idKey) {
    for (const value of values) {
      const record = collection.get(value);
      if (record) groups.set(value, [record]);
    }
    return groups;
  }
  const candidates = candidatesFor(collection, field, values);
  if (candidates instanceof PendingIndex) return candidates;
  for (const record of candidates) {
    const value = isJsonObject(record.value) && Object.hasOwn(record.value, field) ? record.value[field] : undefined;
    if (value === undefined || value === null) continue;
    const text = textOf(value);
    if (!values.has(text)) continue;
    const group = groups.get(text);
    if (group) group.push(record);
    else groups.set(text, [record]);
  }
  return groups;
}

/** The records whose field may be one of the values, in order within each value; by index where there is one. */
function candidatesFor({ indexes, records }: Collection, field: string, values: ReadonlySet<string>) {
  if (!indexes) return records;
  const index = indexes.equality({ text: field, segments: [field] });
  if (index instanceof PendingIndex) return index;
  return [...values].flatMap((value) => index.get(value));
}
