import { STEP, type Work } from "../../base/slices.ts";
import { countEdits } from "../../store/memory/history/kept-change.ts";
import type { Edit } from "../../store/store.ts";
import { bytesOfRecord } from "../../store/stored-record.ts";
import type { Effect } from "./undo-log.ts";

/** The effect of a change, and the memory that it takes. */
export interface ChangeWeight {
  readonly effect: Effect;
  readonly names: readonly string[];
  /** Of the records that it leaves. */
  readonly writtenBytes: number;
  /** Of the records that it replaces and that were written in the sandbox, too: only an undo needs them. */
  readonly keptBytes: number;
}

/** Weighs a change of a sandbox; records above the version `birth` were written in it. */
export function* weighChange(edits: readonly Edit[], birth: number): Work<ChangeWeight> {
  let writtenBytes = 0;
  let keptBytes = 0;
  for (const [position, { before, after }] of edits.entries()) {
    if (after) writtenBytes += bytesOfRecord(after);
    if (before && before.version > birth) keptBytes += bytesOfRecord(before);
    if (position % STEP === STEP - 1) yield;
  }
  const changed = yield* countEdits(edits);
  return { effect: { changed }, names: Object.keys(changed), writtenBytes, keptBytes };
}
