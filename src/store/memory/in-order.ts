import type { StoredRecord } from "../stored-record.ts";

/**
 * The records in the order of the collection, without duplicates. Sorts numbers, which is many times faster than sorting
 * records: each holds a slot and, in its lowest digits, where the record of that slot is.
 */
export function inOrder(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const count = records.length;
  if (count < 2) return records;
  let places = 2;
  while (places < count) places *= 2;
  const keys = new Float64Array(count);
  for (let at = 0; at < count; at++) keys[at] = records[at]!.slot * places + at;
  keys.sort();
  if (keys[count - 1]! > Number.MAX_SAFE_INTEGER) return unique([...records].sort((a, b) => a.slot - b.slot));
  const sorted: StoredRecord[] = [];
  let last: StoredRecord | undefined;
  for (let at = 0; at < count; at++) {
    const key = keys[at]!;
    const record = records[key - Math.floor(key / places) * places]!;
    if (record !== last) sorted.push(record);
    last = record;
  }
  return sorted;
}

function unique(sorted: readonly StoredRecord[]): StoredRecord[] {
  return sorted.filter((record, at) => record !== sorted[at - 1]);
}
