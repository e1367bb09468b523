import type { StoredRecord } from "../stored-record.ts";

/** The first position whose slot is not below the given one, in records sorted by slot. */
export function positionOf(records: readonly StoredRecord[], slot: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (records[middle]!.slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The record with this slot: in its first place as long as nothing before it was removed. */
export function recordAt(records: readonly StoredRecord[], slot: number): StoredRecord | undefined {
  const first = records[slot];
  if (first?.slot === slot) return first;
  const found = records[positionOf(records, slot)];
  return found?.slot === slot ? found : undefined;
}
