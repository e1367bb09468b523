import type { StoredRecord } from "../stored-record.ts";

/** The records in the order of the collection, without duplicates. */
export function inOrder(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const slots: number[] = [];
  for (const { slot } of records) slots.push(slot);
  const order = positionsInOrder(slots);
  const sorted: StoredRecord[] = [];
  let last: StoredRecord | undefined;
  for (let at = 0; at < order.length; at++) {
    const record = records[order[at]!]!;
    if (record !== last) sorted.push(record);
    last = record;
  }
  return sorted;
}

/**
 * The positions of slots, by rising slot. Sorts plain numbers, which is many times faster than sorting by a function: each
 * has a slot and, as its lowest digits, the position of that. Exact for a million positions up to the eight billionth slot.
 */
export function positionsInOrder(slots: readonly number[]): Float64Array {
  const count = slots.length;
  let places = 1;
  while (places < count) places *= 2;
  const order = new Float64Array(count);
  for (let at = 0; at < count; at++) order[at] = slots[at]! * places + at;
  order.sort();
  for (let at = 0; at < count; at++) order[at] = order[at]! - Math.floor(order[at]! / places) * places;
  return order;
}
