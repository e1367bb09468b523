import type { StoredRecord } from "../stored-record.ts";

const MAX_INT32 = 2 ** 31;

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
export function positionsInOrder(slots: readonly number[]): Int32Array | Float64Array {
  const count = slots.length;
  let places = 1;
  while (places < count) places *= 2;
  let largest = 0;
  let areWhole = true;
  for (let at = 0; at < count; at++) {
    largest = Math.max(largest, slots[at]!);
    areWhole &&= Number.isInteger(slots[at]);
  }
  // Records that were put back may have places between others.
  if (!areWhole) return Float64Array.from(slots.keys()).sort((one, other) => (slots[one] ?? 0) - (slots[other] ?? 0));
  // Whole numbers of 32 bits are sorted in two thirds of the time.
  const order = (largest + 1) * places <= MAX_INT32 ? new Int32Array(count) : new Float64Array(count);
  for (let at = 0; at < count; at++) order[at] = slots[at]! * places + at;
  order.sort();
  for (let at = 0; at < count; at++) order[at] = order[at]! % places;
  return order;
}
