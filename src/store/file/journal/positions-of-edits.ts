import type { State } from "../../memory/state.ts";
import type { Edit } from "../../store.ts";
import { positionOf } from "../../stored-record.ts";

/**
 * The positions of the edits of an ordered change, before it is committed. A record that returns to its place comes behind
 * all removals, and behind those that return before it.
 */
export function positionsOfEdits(state: State, edits: readonly Edit[]): (edit: Edit) => number {
  if (!edits.some(({ isReturn }) => isReturn)) return (edit) => state.positionOf(edit);
  const removed = new Map<string, number[]>();
  const returned = new Map<string, number>();
  for (const { name, before, after } of edits) {
    if (!before || after) continue;
    const slots = removed.get(name);
    if (slots) slots.push(before.slot);
    else removed.set(name, [before.slot]);
  }
  for (const slots of removed.values()) slots.sort((one, other) => one - other);
  return (edit) => {
    const { name, before, after, isReturn } = edit;
    if (before || !after || !isReturn) return state.positionOf(edit);
    const come = returned.get(name) ?? 0;
    returned.set(name, come + 1);
    const records = state.collection(name)?.records ?? [];
    return positionOf(records, after.slot) - countBelow(removed.get(name) ?? [], after.slot) + come;
  };
}

function countBelow(sorted: readonly number[], slot: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? slot) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}
