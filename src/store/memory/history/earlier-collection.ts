import { nextTurn, STEP, type Work } from "../../../base/slices.ts";
import type { Edit } from "../../store.ts";
import { positionOf } from "../../stored-record.ts";
import type { Collection, EarlierFacts, RewoundRecords } from "../collection.ts";
import type { RewoundRecord } from "../rewrite-records.ts";
import { RecordParts } from "./record-parts.ts";

/** The records that are copied between two possible pauses. */
const COPIED_AT_ONCE = 16_384;

/**
 * Creates a copy of a collection with the records of an earlier moment, with pauses, while writes go on. `since` returns the
 * records that were written after the moment, by slot, up to the turn of its call; undefined ends this.
 */
export function* earlierCollection(
  collection: Collection,
  facts: EarlierFacts,
  since: () => ReadonlyMap<number, RewoundRecord> | undefined,
): Work<Collection | undefined> {
  const parts = yield* copied(collection);
  const written = since();
  return written && (yield* collection.earlier(facts, rewound(parts, written, facts)));
}

function* rewound(
  parts: RecordParts,
  written: ReadonlyMap<number, RewoundRecord>,
  { name }: EarlierFacts,
): Work<RewoundRecords> {
  const edits: Edit[] = [];
  for (const [slot, { is, was }] of written) {
    parts.put(slot, was);
    if (is !== was) edits.push({ name, before: is, after: was });
    if (edits.length % STEP === 0) yield;
  }
  // A million pointers take most of a slice, so they have a turn of their own.
  yield nextTurn();
  const records = parts.all();
  yield nextTurn();
  return { records, edits };
}

/** The current records, copied with pauses: each as it is when its turn comes. */
function* copied(collection: Collection): Work<RecordParts> {
  if (!collection.isCreated) yield collection.create();
  const parts = new RecordParts();
  for (;;) {
    const { records } = collection;
    // Others may have come or gone before the place where the last part ended.
    const from = positionOf(records, parts.nextSlot);
    parts.add(records.slice(from, from + COPIED_AT_ONCE));
    if (from + COPIED_AT_ONCE >= records.length) return parts;
    yield;
  }
}
