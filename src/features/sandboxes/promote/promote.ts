import { StandinError } from "../../../errors.ts";
import type { Service } from "../../../http/service.ts";
import type { Json, JsonObject } from "../../../json.ts";
import { STEP, type Work } from "../../../slices.ts";
import { type Id, idOf, lookupKey } from "../../../store/ids.ts";
import type { Change, Edit, SingleWrite, Store, Transaction } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import { type Conflict, ConflictsFound } from "./conflict.ts";
import { compareWithMain, conflictOf, MainRecords, touchedMembers } from "./find-conflicts.ts";
import { type ReferenceFields, referenceFields, withNewIds } from "./references.ts";
import type { RecordChange, SandboxChanges } from "./sandbox-changes.ts";

export interface PromoteOptions {
  /** Gives records that both sides have created with the same id new ids, and redirects references to them. */
  readonly renumber?: boolean;
}

interface ApplyChangesOptions extends PromoteOptions {
  /** The service with the data of the sandbox: it knows which fields refer to other records. */
  readonly service: Service;
  /** Throws when the main data was exchanged since the sandbox began. Asked again right before the first write. */
  readonly expectSameData: () => void;
}

/** The outcome of a promotion. */
export interface Promotion {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** The records that were given new ids. */
  readonly renumbered: readonly Renumbered[];
}

export interface Renumbered {
  readonly collection: string;
  readonly from: Id;
  readonly to: Id;
}

/** Applies the changes of a sandbox to the main data as one change. Throws `ConflictsFound`, and then changes nothing. */
export async function applyChanges(
  store: Store,
  changes: SandboxChanges,
  { service, expectSameData, renumber = false }: ApplyChangesOptions,
): Promise<Promotion> {
  expectSameData();
  const created = changes.created.filter(({ name }) => store.kindOf(name) === undefined);
  const fields = renumber ? await fieldsByName(service, changes) : new Map<string, ReferenceFields>();
  const made: string[] = [];
  let plan: Plan | undefined;
  let change: Change;
  try {
    for (const { name, kind } of created) {
      await store.alter({ kind: "created", name, type: kind });
      made.push(name);
    }
    change = await store.apply({
      kind: "transaction",
      members: touchedMembers(store, changes),
      *run(data) {
        expectSameData();
        plan = new Plan(store, data, { changes, fields, renumber });
        yield* plan.run();
      },
    });
  } catch (thrown) {
    for (const name of made.reverse()) if (isEmpty(store, name)) await store.alter({ kind: "removed", name });
    throw thrown;
  }
  for (const { name } of changes.removed) {
    if (store.kindOf(name) !== undefined) await store.alter({ kind: "removed", name });
  }
  return { ...countsOf(change.edits), renumbered: plan?.renumbered ?? [] };
}

/** Others may have written to a new collection meanwhile. */
function isEmpty(store: Store, name: string): boolean {
  const member = store.members().find((one) => one.name === name);
  return member !== undefined && (member.kind === "singleton" || member.count === 0);
}

/** Fields that may refer to records with new ids, by collection. */
async function fieldsByName(service: Service, { records }: SandboxChanges): Promise<Map<string, ReferenceFields>> {
  const created = records.filter(({ before, isSingleton }) => !before && !isSingleton);
  const parents = [...new Set(created.map(({ name }) => name))];
  const fields = new Map<string, ReferenceFields>();
  for (const { name, isSingleton } of records) {
    if (!isSingleton && !fields.has(name)) fields.set(name, await referenceFields(service, name, parents));
  }
  return fields;
}

function countsOf(edits: readonly Edit[]) {
  const counts = { created: 0, changed: 0, removed: 0 };
  for (const { before, after } of edits) counts[before ? (after ? "changed" : "removed") : "created"]++;
  return counts;
}

interface Planned {
  readonly changes: SandboxChanges;
  readonly fields: ReadonlyMap<string, ReferenceFields>;
  readonly renumber: boolean;
}

/** The writes of one promotion, within its transaction. */
class Plan {
  readonly renumbered: Renumbered[] = [];
  readonly #store: Store;
  readonly #data: Transaction;
  readonly #main: MainRecords;
  readonly #changes: SandboxChanges;
  readonly #fields: ReadonlyMap<string, ReferenceFields>;
  readonly #renumber: boolean;
  readonly #newIds = new Map<string, Map<Id, Id>>();

  constructor(store: Store, data: Transaction, { changes, fields, renumber }: Planned) {
    this.#store = store;
    this.#data = data;
    this.#main = new MainRecords(data);
    this.#changes = changes;
    this.#fields = fields;
    this.#renumber = renumber;
  }

  *run(): Work<void> {
    const { open, twice, conflicts } = yield* compareWithMain(this.#store, this.#main, this.#changes);
    const both: Conflict[] = [];
    if (!this.#renumber) for (const change of twice) both.push(conflictOf(change, yield* this.#main.of(change)));
    if (conflicts.length + both.length > 0) throw new ConflictsFound([...conflicts, ...both]);
    const redirected: RecordChange[] = [];
    for (const change of twice) redirected.push(yield* this.#createAnew(change));
    yield* this.#applyAll([...open, ...redirected]);
  }

  /** Creates a record under a new id; returns the change that is left: references of its own. */
  *#createAnew(change: RecordChange): Work<RecordChange> {
    const { name, id, after } = change;
    const { [this.#store.idKeyOf(name)]: _taken, ...body } = after!.value as JsonObject;
    const [edit] = yield* this.#data.apply({ kind: "create", collection: name, bodies: [body] });
    const created = edit!.after!;
    const to = idOf(created.value, this.#store.idKeyOf(name))!;
    const ids = this.#newIds.get(name) ?? new Map<Id, Id>();
    this.#newIds.set(name, ids.set(lookupKey(id!), to));
    this.renumbered.push({ collection: name, from: id!, to });
    return { ...change, id: to, before: created, after: created };
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
      if (refused.length === open.length) throw refused[0]!.thrown;
      open = refused.map(({ change }) => change);
    }
  }

  *#applyOne(change: RecordChange): Work<void> {
    const { name, before, after } = change;
    const main = yield* this.#main.of(change);
    // A singleton goes as a member; a record may have gone together with another one.
    if (!after && (!main || change.isSingleton)) return;
    const isMoved = before !== undefined && before === after;
    const fields = this.#fields.get(name) ?? new Map<string, string>();
    const former = isMoved ? undefined : before?.value;
    const value = after && withNewIds(after.value, former, fields, this.#newIds);
    if (isMoved && value === after.value) return;
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
