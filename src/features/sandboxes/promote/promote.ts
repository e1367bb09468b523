import { StandinError } from "../../../base/errors.ts";
import type { Json, JsonObject } from "../../../base/json/json.ts";
import { createPause, STEP, type Work } from "../../../base/slices.ts";
import type { Service } from "../../../http/contract.ts";
import type { Origin } from "../../../store/history.ts";
import { withId } from "../../../store/ids.ts";
import type { RecordChange, StateChanges } from "../../../store/memory/changes-between.ts";
import type { Edit, SingleWrite, Store, Transaction, TransactionWrite } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import type { PromoteOptions, Promotion } from "../types.ts";
import { choiceOf, type SideChoice } from "./choices.ts";
import { type Conflict, ConflictsFound } from "./conflict.ts";
import { type ConflictSearch, compareWithMain, conflictOf, MainRecords, touchedMembers } from "./find-conflicts.ts";
import { type IsUsed, NewIds, type Renumbered } from "./new-ids.ts";
import { type ReferenceFields, referringFields, withNewIds } from "./references.ts";

interface ApplyChangesOptions extends PromoteOptions {
  /** The service with the data of the sandbox: it knows which fields refer to other records. */
  readonly service: Service;
  /** Throws when the main data was exchanged since the sandbox began. Asked again right before the first write. */
  readonly expectSameData: () => void;
  /** Whether an id means a record in the sandbox, or meant one when it began. */
  readonly isUsed: IsUsed;
  readonly origin: Origin;
}

/** Applies the changes of a sandbox to the main data as one change. Throws `ConflictsFound`, and then changes nothing. */
export async function applyChanges(
  store: Store,
  changes: StateChanges,
  { service, expectSameData, isUsed, origin, renumber = false, conflicts }: ApplyChangesOptions,
): Promise<Promotion> {
  expectSameData();
  const fields = renumber ? await fieldsByName(service, changes) : new Map<string, ReferenceFields>();
  let plan: Plan | undefined;
  const write: TransactionWrite = {
    kind: "transaction",
    members: touchedMembers(store, changes),
    *run(data) {
      expectSameData();
      plan = new Plan(store, data, { changes, fields, isUsed, renumber, choice: choiceOf(conflicts) });
      yield* plan.run();
    },
  };
  const { created } = changes;
  const removed = (): string[] => changes.removed.flatMap(({ name }) => (plan?.kept.has(name) ? [] : name));
  const isRecordsOnly = created.length === 0 && changes.removed.length === 0;
  const change = await (isRecordsOnly || !store.rearrange
    ? store.apply(write, origin)
    : store.rearrange({ created, write, removed }, origin));
  return { ...countsOf(change.edits), renumbered: plan?.renumbered ?? [] };
}

/** Fields that may refer to records with new ids, by collection. */
async function fieldsByName(service: Service, { records }: StateChanges): Promise<Map<string, ReferenceFields>> {
  const created = records.filter(({ before, isSingleton }) => !before && !isSingleton);
  const parents = [...new Set(created.map(({ name }) => name))];
  const fields = new Map<string, ReferenceFields>();
  const pause = createPause();
  for (const { name, isSingleton } of records) {
    if (isSingleton || fields.has(name)) continue;
    fields.set(name, await referringFields(service, name, parents));
    if (pause.isDue) await pause.take();
  }
  return fields;
}

function countsOf(edits: readonly Edit[]) {
  const counts = { created: 0, changed: 0, removed: 0 };
  for (const { before, after } of edits) counts[before ? (after ? "changed" : "removed") : "created"]++;
  return counts;
}

interface Planned {
  readonly changes: StateChanges;
  readonly fields: ReadonlyMap<string, ReferenceFields>;
  readonly isUsed: IsUsed;
  readonly renumber: boolean;
  readonly choice: SideChoice;
}

/** The writes of one promotion, within its transaction. */
class Plan {
  /** Singletons that the sandbox removed, and that stay. */
  readonly kept = new Set<string>();
  readonly #store: Store;
  readonly #data: Transaction;
  readonly #main: MainRecords;
  readonly #changes: StateChanges;
  readonly #fields: ReadonlyMap<string, ReferenceFields>;
  readonly #renumber: boolean;
  readonly #choice: SideChoice;
  readonly #newIds: NewIds;

  constructor(store: Store, data: Transaction, { changes, fields, isUsed, renumber, choice }: Planned) {
    this.#store = store;
    this.#data = data;
    this.#main = new MainRecords(data);
    this.#changes = changes;
    this.#fields = fields;
    this.#renumber = renumber;
    this.#choice = choice;
    this.#newIds = new NewIds(data, isUsed);
  }

  get renumbered(): readonly Renumbered[] {
    return this.#newIds.given;
  }

  *run(): Work<void> {
    const found = yield* compareWithMain(this.#store, this.#main, this.#changes);
    const { open, same } = found;
    const { conflicts, twice, taken } = yield* this.#choose(found);
    if (!this.#renumber) yield* this.#refuse([...conflicts], twice);
    const anew = new Set(twice);
    for (const change of twice) yield* this.#newIds.give(change);
    yield* this.#refuse([...conflicts], yield* this.#findAlike(same, anew));
    for (const change of anew) taken.set(change, change);
    yield* this.#applyAll(taken.size === 0 ? open : yield* this.#inOrder(open, taken));
  }

  /** Parts the conflicts: those that are left, and the changes of the sandbox that were chosen. */
  *#choose({ conflicts, twice }: ConflictSearch) {
    const taken = new Map<RecordChange, RecordChange>();
    const left: Conflict[] = [];
    for (const { conflict, change } of conflicts) {
      const side = this.#choice(change);
      if (side === "sandbox") taken.set(change, change);
      else if (side === undefined) left.push(conflict);
      else if (change.isSingleton) this.kept.add(change.name);
    }
    const both: RecordChange[] = [];
    for (const change of twice) {
      const side = this.#choice(change);
      // It takes the place of the other one.
      if (side === "sandbox") taken.set(change, { ...change, before: yield* this.#main.of(change) });
      else if (side === undefined) both.push(change);
    }
    return { conflicts: left, twice: both, taken };
  }

  /** The open changes and those taken beside them, in the order of the data. */
  *#inOrder(open: readonly RecordChange[], taken: Map<RecordChange, RecordChange>): Work<readonly RecordChange[]> {
    const writes: RecordChange[] = [];
    let next = 0;
    for (const [position, change] of this.#changes.records.entries()) {
      const other = taken.get(change);
      if (open[next] === change) next++;
      else if (!other) continue;
      taken.delete(change);
      writes.push(other ?? change);
      if (position % STEP === STEP - 1) yield;
    }
    // Records of the main data that go with their collection.
    return [...writes, ...taken.values()];
  }

  *#refuse(conflicts: Conflict[], changes: readonly RecordChange[]): Work<void> {
    for (const change of changes) conflicts.push(conflictOf(change, yield* this.#main.of(change)));
    if (conflicts.length > 0) throw new ConflictsFound(conflicts);
  }

  /**
   * Finds changes that look as if both sides had made them, but refer to a record that gets a new id: they mean different
   * records. New records get new ids themselves, which may reveal more of them; the rest is returned.
   */
  *#findAlike(same: readonly RecordChange[], anew: Set<RecordChange>): Work<readonly RecordChange[]> {
    const different: RecordChange[] = [];
    for (let unsure = this.#newIds.given.length > 0 ? same : []; ; ) {
      const alike: RecordChange[] = [];
      for (const [position, change] of unsure.entries()) {
        if (position % STEP === STEP - 1) yield;
        if (this.#redirected(change) === change.after?.value) alike.push(change);
        else if (change.before) different.push(change);
        else {
          anew.add(change);
          yield* this.#newIds.give(change);
        }
      }
      if (alike.length === unsure.length) return different;
      unsure = alike;
    }
  }

  /** The new value of a record, with references to new ids. */
  #redirected({ name, before, after }: RecordChange): Json | undefined {
    const fields = this.#fields.get(name);
    if (!after || !fields) return after?.value;
    return withNewIds({ value: after.value, before: before?.value }, fields, this.#newIds.byCollection);
  }

  /**
   * In the order of the data, except that a record which the rules refuse is tried again behind the others: it may refer to
   * one that comes later.
   */
  *#applyAll(changes: readonly RecordChange[]): Work<void> {
    for (let open = changes; open.length > 0; ) {
      const refused: { change: RecordChange; thrown: unknown }[] = [];
      for (const [position, change] of open.entries()) {
        if (position % STEP === STEP - 1) yield;
        try {
          yield* this.#applyOne(change);
        } catch (thrown) {
          if (!(thrown instanceof StandinError)) throw thrown;
          refused.push({ change, thrown });
        }
      }
      const [first] = refused;
      if (first && refused.length === open.length) throw first.thrown;
      open = refused.map(({ change }) => change);
    }
  }

  *#applyOne(change: RecordChange): Work<void> {
    const { name, isSingleton, before, after } = change;
    const value = this.#redirected(change);
    if (after && !before && !isSingleton) {
      const id = this.#newIds.of(change);
      const body = id === undefined ? value : withId(value as JsonObject, this.#store.idKeyOf(name), id);
      yield* this.#data.apply({ kind: "create", collection: name, bodies: [body as JsonObject] });
      return;
    }
    const main = yield* this.#main.of(change);
    // A singleton goes as a member; a record may have gone together with another one.
    if (!after && (!main || isSingleton)) return;
    yield* this.#data.apply(writeOf(change, main, value));
  }
}

function writeOf({ name, id, isSingleton }: RecordChange, main: StoredRecord | undefined, value: Json | undefined) {
  const body = value as JsonObject;
  if (isSingleton) return { kind: "replace-singleton", name, body } satisfies SingleWrite;
  if (!main) return { kind: "create", collection: name, bodies: [body] } satisfies SingleWrite;
  if (id === undefined) {
    const transform = value === undefined ? undefined : () => value;
    return { kind: "rewrite", collection: name, before: main, ...(transform && { transform }) } satisfies SingleWrite;
  }
  if (value === undefined) {
    return { kind: "remove", collection: name, id: String(id), dependents: [] } satisfies SingleWrite;
  }
  return { kind: "replace", collection: name, id: String(id), body } satisfies SingleWrite;
}
