import { STEP, type Work } from "../../base/slices.ts";
import type { AlteredMember, RecordCounts } from "../../store/history.ts";
import { countEdits } from "../../store/memory/history/kept-change.ts";
import type { Edit } from "../../store/store.ts";
import { bytesOfRecord } from "../../store/stored-record.ts";

/** A change, in words that a client can show. */
export type Effect = { readonly changed: Readonly<Record<string, RecordCounts>> } | { readonly member: AlteredMember };

/** The effect of a change, and the memory that the data takes more with it. */
export interface ChangeWeight {
  readonly effect: Effect;
  readonly names: readonly string[];
  readonly bytes: number;
}

/** Weighs a change of a sandbox; records above the version `birth` were written in it, and others are shared. */
export function* weighChange(edits: readonly Edit[], birth: number): Work<ChangeWeight> {
  let bytes = 0;
  for (const [position, { before, after }] of edits.entries()) {
    if (after) bytes += bytesOfRecord(after);
    if (before && before.version > birth) bytes -= bytesOfRecord(before);
    if (position % STEP === STEP - 1) yield;
  }
  const changed = yield* countEdits(edits);
  return { effect: { changed }, names: Object.keys(changed), bytes };
}
