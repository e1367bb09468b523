import { STEP, type Work } from "../../base/slices.ts";
import type { Edit } from "../../store/store.ts";

/** The edits that undo others, the last one first. */
export function* invertedEdits(edits: readonly Edit[]): Work<Edit[]> {
  const inverted: Edit[] = [];
  for (let at = edits.length - 1; at >= 0; at--) {
    const { name, before, after } = edits[at]!;
    inverted.push({ name, before: after, after: before });
    if (at % STEP === 0) yield;
  }
  return inverted;
}
