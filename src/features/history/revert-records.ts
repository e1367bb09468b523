import { StandinError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import type { VersionEdit } from "../../store/history.ts";
import { idOf } from "../../store/ids.ts";
import type { SingleWrite, Store, Transaction, TransactionWrite } from "../../store/store.ts";
import { editedRecord, type StoredRecord } from "../../store/stored-record.ts";
import { mergeFields } from "./merge-fields.ts";
import { type RevertConflict, RevertConflicts } from "./revert-conflict.ts";

interface RecordRevert {
  readonly edits: readonly VersionEdit[];
  /** Keeps later changes of other fields. */
  readonly fields: boolean;
}

/** The write that takes edits back: each record gets its earlier value. Throws `RevertConflicts`, and then changes nothing. */
export function revertOfRecords(store: Store, revert: RecordRevert): TransactionWrite {
  const members = [...new Set(revert.edits.map(({ name }) => name))].filter((name) => store.kindOf(name) !== undefined);
  return {
    kind: "transaction",
    members,
    ids: idsOf(store, revert.edits),
    *run(data) {
      yield* applyInAnyOrder(data, yield* planRevert(store, data, revert));
    },
  };
}

function idsOf(store: Store, edits: readonly VersionEdit[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const edit of edits) {
    const id = idOf(editedRecord(edit).value, store.idKeyOf(edit.name));
    if (id === undefined) continue;
    const known = ids.get(edit.name);
    if (known) known.push(String(id));
    else ids.set(edit.name, [String(id)]);
  }
  return ids;
}

function* planRevert(store: Store, data: Transaction, { edits, fields }: RecordRevert): Work<SingleWrite[]> {
  const present = new PresentRecords(store, data);
  const writes: SingleWrite[] = [];
  const conflicts: RevertConflict[] = [];
  // The last one first, as changes are undone.
  for (let at = edits.length - 1; at >= 0; at--) {
    if (at % STEP === 0) yield;
    const edit = edits[at] as VersionEdit;
    const now = yield* present.of(edit);
    const wanted = wantedValue(edit, now, fields);
    // A record cannot return to a collection that is gone, or has another name.
    const isHomeless = wanted !== "done" && store.kindOf(edit.name) === undefined;
    if (wanted === "conflict" || isHomeless) conflicts.push(conflictOf(store, edit, now));
    else if (wanted !== "done") writes.push(writeOf(store, edit, { now, value: wanted }));
  }
  if (conflicts.length > 0) throw new RevertConflicts(conflicts);
  return writes;
}

/** The value that a record gets; undefined removes it. */
function wantedValue({ before, after }: VersionEdit, now: StoredRecord | undefined, fields: boolean) {
  if (before?.text === after?.text || now?.text === before?.text) return "done";
  if (now?.text === after?.text) return before?.value;
  if (!fields || !before || !after || !now) return "conflict";
  return mergeFields({ base: after.value, earlier: before.value, now: now.value }) ?? "conflict";
}

interface Wanted {
  readonly now: StoredRecord | undefined;
  readonly value: Json | undefined;
}

function writeOf(store: Store, { name, before }: VersionEdit, { now, value }: Wanted): SingleWrite {
  if (store.kindOf(name) === "singleton") return { kind: "replace-singleton", name, body: value as JsonObject };
  if (!now) return { kind: "return", collection: name, record: before as StoredRecord };
  if (value === undefined) return { kind: "rewrite", collection: name, before: now };
  return { kind: "rewrite", collection: name, before: now, transform: () => value, isExact: true };
}

function conflictOf(store: Store, edit: VersionEdit, now: StoredRecord | undefined): RevertConflict {
  const { name, before, after } = edit;
  return {
    collection: name,
    id: idOf(editedRecord(edit).value, store.idKeyOf(name)) ?? null,
    base: after?.value ?? null,
    earlier: before?.value ?? null,
    now: now?.value ?? null,
  };
}

/** A record that the rules refuse is tried again behind the others: it may refer to one that comes later. */
function* applyInAnyOrder(data: Transaction, writes: readonly SingleWrite[]): Work<void> {
  for (let open = writes; open.length > 0; ) {
    const refused: { write: SingleWrite; thrown: unknown }[] = [];
    for (const [position, write] of open.entries()) {
      if (position % STEP === STEP - 1) yield;
      try {
        yield* data.apply(write);
      } catch (thrown) {
        if (!(thrown instanceof StandinError)) throw thrown;
        refused.push({ write, thrown });
      }
    }
    const [first] = refused;
    if (first && refused.length === open.length) throw first.thrown;
    open = refused.map(({ write }) => write);
  }
}

/** The records as they are now, as a transaction sees them. */
class PresentRecords {
  readonly #store: Store;
  readonly #data: Transaction;
  /** Of collections in which records without an id are looked for by their places. */
  readonly #bySlot = new Map<string, Map<number, StoredRecord>>();

  constructor(store: Store, data: Transaction) {
    this.#store = store;
    this.#data = data;
  }

  *of(edit: VersionEdit): Work<StoredRecord | undefined> {
    const { name } = edit;
    const kind = this.#store.kindOf(name);
    if (kind === undefined) return undefined;
    if (kind === "singleton") return this.#data.singleton(name);
    const { value, slot } = editedRecord(edit);
    const id = idOf(value, this.#store.idKeyOf(name));
    if (id !== undefined) return yield* this.#data.get(name, String(id));
    let bySlot = this.#bySlot.get(name);
    if (!bySlot) {
      const all = yield* this.#data.matching(name, { where: [], search: "" });
      bySlot = new Map(all.map((record) => [record.slot, record]));
      this.#bySlot.set(name, bySlot);
    }
    return bySlot.get(slot);
  }
}
