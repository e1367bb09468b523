import { STEP, type Work } from "../../base/slices.ts";
import type { Edit } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import type { Effect, RecordCounts } from "./undo-log.ts";

export const POINTER_BYTES = 8;
/** Memory of a record for each character of its JSON: measured with generated data, rounded up. */
const BYTES_PER_LETTER = 4;

/** The effect of a change, and the memory that it takes. */
export interface ChangeWeight {
  readonly effect: Effect;
  readonly names: readonly string[];
  /** Of the records that it leaves. */
  readonly writtenBytes: number;
  /** Of the records that it replaces and that were written in the sandbox, too: only an undo needs them. */
  readonly keptBytes: number;
}

/** About how much memory a record takes. */
export function bytesOf({ text }: StoredRecord): number {
  return POINTER_BYTES + BYTES_PER_LETTER * text.length;
}

/** Weighs a change of a sandbox; records above the version `birth` were written in it. */
export function* weighChange(edits: readonly Edit[], birth: number): Work<ChangeWeight> {
  const counts = new Map<string, RecordCounts>();
  let writtenBytes = 0;
  let keptBytes = 0;
  for (const [position, edit] of edits.entries()) {
    const { before, after } = edit;
    count(counts, edit);
    if (after) writtenBytes += bytesOf(after);
    if (before && before.version > birth) keptBytes += bytesOf(before);
    if (position % STEP === STEP - 1) yield;
  }
  // Not by assignment: a collection may have any name.
  const changed = Object.fromEntries(counts);
  return { effect: { changed }, names: [...counts.keys()], writtenBytes, keptBytes };
}

function count(counts: Map<string, RecordCounts>, { name, before, after }: Edit): void {
  let ofMember = counts.get(name);
  if (!ofMember) {
    ofMember = { created: 0, updated: 0, removed: 0 };
    counts.set(name, ofMember);
  }
  if (!before) ofMember.created++;
  else if (after) ofMember.updated++;
  else ofMember.removed++;
}
