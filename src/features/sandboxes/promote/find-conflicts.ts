import { STEP, type Work } from "../../../base/slices.ts";
import { idOf } from "../../../store/ids.ts";
import type { RecordChange, StateChanges } from "../../../store/memory/changes-between.ts";
import type { Store, Transaction } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import type { Conflict } from "./conflict.ts";

/** The changes of a sandbox, held against the main data. */
export interface ConflictSearch {
  /** Changes that the main data has not seen. */
  readonly open: readonly RecordChange[];
  /** Records that both sides have created with the same id. */
  readonly twice: readonly RecordChange[];
  /** Changes that both sides have made in the same way. */
  readonly same: readonly RecordChange[];
  readonly conflicts: readonly FoundConflict[];
}

/** A conflict, and the change that the sandbox wants. */
interface FoundConflict {
  readonly conflict: Conflict;
  readonly change: RecordChange;
}

/** The records of the main data, as a transaction sees them. */
export class MainRecords {
  readonly #data: Transaction;
  /** The records of collections whose records without an id are looked for by their places. */
  readonly #bySlot = new Map<string, Map<number, StoredRecord>>();

  constructor(data: Transaction) {
    this.#data = data;
  }

  *of({ name, id, isSingleton, before }: RecordChange): Work<StoredRecord | undefined> {
    if (isSingleton) return this.#data.singleton(name);
    if (id !== undefined) return yield* this.#data.get(name, String(id));
    let bySlot = this.#bySlot.get(name);
    if (!bySlot) {
      bySlot = new Map((yield* this.all(name)).map((record) => [record.slot, record]));
      this.#bySlot.set(name, bySlot);
    }
    return before && bySlot.get(before.slot);
  }

  *all(name: string): Work<readonly StoredRecord[]> {
    return yield* this.#data.matching(name, { where: [], search: "" });
  }
}

/** The members of the main data that the changes are about. */
export function touchedMembers(store: Store, { records }: StateChanges): string[] {
  return [...new Set(records.map(({ name }) => name))].filter((name) => store.kindOf(name) !== undefined);
}

/** The conflicts of the changes with the present main data. */
export async function findConflicts(store: Store, changes: StateChanges): Promise<readonly Conflict[]> {
  let found: readonly Conflict[] = [];
  const write = {
    kind: "transaction",
    members: touchedMembers(store, changes),
    *run(data: Transaction): Work<void> {
      const main = new MainRecords(data);
      const { twice, conflicts } = yield* compareWithMain(store, main, changes);
      const both: Conflict[] = [];
      for (const change of twice) both.push(conflictOf(change, yield* main.of(change)));
      found = [...conflicts.map(({ conflict }) => conflict), ...both];
    },
  } as const;
  await store.apply(write, { isDryRun: true });
  return found;
}

export function* compareWithMain(store: Store, main: MainRecords, changes: StateChanges): Work<ConflictSearch> {
  const open: RecordChange[] = [];
  const twice: RecordChange[] = [];
  const same: RecordChange[] = [];
  const conflicts: FoundConflict[] = yield* addedSince(store, main, changes);
  for (const [position, change] of changes.records.entries()) {
    if (position % STEP === STEP - 1) yield;
    const present = yield* main.of(change);
    const { before, after } = change;
    if (present?.text === after?.text) same.push(change);
    else if (present?.text === before?.text) open.push(change);
    else if (!before && !change.isSingleton) twice.push(change);
    else conflicts.push({ conflict: conflictOf(change, present), change });
  }
  return { open, twice, same, conflicts };
}

/** Records that were added to collections which the sandbox removed. */
function* addedSince(store: Store, main: MainRecords, { records, removed }: StateChanges): Work<FoundConflict[]> {
  const found: FoundConflict[] = [];
  for (const { name, kind } of removed) {
    if (kind !== "collection" || store.kindOf(name) !== "collection") continue;
    const known = new Set(records.filter((one) => one.name === name).map(({ before }) => before?.slot));
    for (const before of yield* main.all(name)) {
      if (known.has(before.slot)) continue;
      const id = idOf(before.value, store.idKeyOf(name));
      const conflict = { collection: name, id: id ?? null, base: null, main: before.value, sandbox: null };
      found.push({ conflict, change: { name, id, isSingleton: false, before, after: undefined } });
    }
  }
  return found;
}

export function conflictOf({ name, id, before, after }: RecordChange, main: StoredRecord | undefined): Conflict {
  return {
    collection: name,
    id: id ?? null,
    base: before?.value ?? null,
    main: main?.value ?? null,
    sandbox: after?.value ?? null,
  };
}
