import { atOnce, STEP, type Work } from "../../base/slices.ts";
import type { Edit } from "../store.ts";
import { positionOf, type StoredRecord } from "../stored-record.ts";

/** A record that was written since a moment, as it was then and as it is now. */
export interface RewoundRecord {
  readonly is: StoredRecord | undefined;
  readonly was: StoredRecord | undefined;
}

/** The records, sorted by slot, after an ordered change. */
export function* rewritten(records: readonly StoredRecord[], edits: readonly Edit[]): Work<StoredRecord[]> {
  const result: (StoredRecord | undefined)[] = records.slice();
  const added: StoredRecord[] = [];
  let hasGaps = false;
  let count = 0;
  for (const { before, after } of edits) {
    if (before) {
      const { slot } = before;
      result[records[slot]?.slot === slot ? slot : positionOf(records, slot)] = after;
      hasGaps ||= !after;
    } else if (after) added.push(after);
    if (++count % STEP === 0) yield;
  }
  const present = hasGaps ? yield* withoutGaps(result) : (result as StoredRecord[]);
  if (!isAscending(added)) added.sort((one, other) => one.slot - other.slot);
  const [first] = added;
  if (first && first.slot < (present.at(-1)?.slot ?? first.slot)) return yield* mergedInSteps(present, added);
  for (const [position, record] of added.entries()) {
    present.push(record);
    if (position % STEP === STEP - 1) yield;
  }
  return present;
}

function isAscending(records: readonly StoredRecord[]): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return records.every(({ slot }) => {
    const isAbove = slot > last;
    last = slot;
    return isAbove;
  });
}

function* withoutGaps(records: readonly (StoredRecord | undefined)[]): Work<StoredRecord[]> {
  const present: StoredRecord[] = [];
  for (const [position, record] of records.entries()) {
    if (record) present.push(record);
    if (position % STEP === STEP - 1) yield;
  }
  return present;
}

/** The edits that undo others: one for each record, from its last state to its first. */
export function inverted(edits: readonly Edit[], hasOneEach: boolean): Edit[] {
  if (hasOneEach) return edits.map(({ name, before, after }) => ({ name, before: after, after: before }));
  const bySlot = new Map<number, Edit>();
  for (const { name, before, after } of edits) {
    const record = before ?? after;
    if (!record) continue;
    const known = bySlot.get(record.slot);
    bySlot.set(record.slot, { name, before: after, after: known ? known.after : before });
  }
  return [...bySlot.values()].filter(({ before, after }) => before ?? after);
}

/** Merges two lists that are sorted by slot, without duplicates. */
export function mergedBySlot(one: readonly StoredRecord[], other: readonly StoredRecord[]): StoredRecord[] {
  return atOnce(mergedInSteps(one, other));
}

function* mergedInSteps(one: readonly StoredRecord[], other: readonly StoredRecord[]): Work<StoredRecord[]> {
  const merged: StoredRecord[] = [];
  let next = 0;
  for (const [position, record] of one.entries()) {
    for (let first = other[next]; first && first.slot < record.slot; first = other[++next]) merged.push(first);
    if (other[next]?.slot === record.slot) next++;
    merged.push(record);
    if (position % STEP === STEP - 1) yield;
  }
  for (const record of other.slice(next)) merged.push(record);
  return merged;
}
