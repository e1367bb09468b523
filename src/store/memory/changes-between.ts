import { STEP, type Work } from "../../base/slices.ts";
import { type Id, idOf } from "../ids.ts";
import type { Member } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { Collection } from "./collection.ts";
import type { State, StateMember } from "./state.ts";

/** One record that is not as it was: without `before` it was created, without `after` removed. */
export interface RecordChange {
  readonly name: string;
  readonly isSingleton: boolean;
  /** Undefined for a singleton, and for a record without an id. */
  readonly id: Id | undefined;
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}

/** Everything that tells one state from another. */
export interface StateChanges {
  readonly records: readonly RecordChange[];
  readonly created: readonly Pick<Member, "name" | "kind">[];
  readonly removed: readonly Pick<Member, "name" | "kind">[];
}

/** Compares two states. Collections that both share cost nothing. */
export function* changesBetween(before: State, after: State): Work<StateChanges> {
  const former = new Map(before.members());
  const present = new Map(after.members());
  const records: RecordChange[] = [];
  const changes = { created: [] as Pick<Member, "name" | "kind">[], removed: [] as Pick<Member, "name" | "kind">[] };
  for (const name of new Set([...former.keys(), ...present.keys()])) {
    const [was, is] = [former.get(name), present.get(name)];
    if (was === is) continue;
    const [oldKind, newKind] = [kindOf(was), kindOf(is)];
    if (newKind && oldKind !== newKind) changes.created.push({ name, kind: newKind });
    if (oldKind && oldKind !== newKind) changes.removed.push({ name, kind: oldKind });
    if (oldKind === "collection" || newKind === "collection") {
      yield* compareCollections(name, { was: asCollection(was), is: asCollection(is) }, records);
    }
    if (oldKind === "singleton" || newKind === "singleton") {
      const change = { name, isSingleton: true, id: undefined, before: recordOf(was), after: recordOf(is) };
      if (change.before?.text !== change.after?.text) records.push(change);
    }
  }
  return { records, ...changes };
}

interface Compared {
  readonly was: Collection | undefined;
  readonly is: Collection | undefined;
}

function* compareCollections(name: string, { was, is }: Compared, changes: RecordChange[]): Work<void> {
  const idKey = (is ?? was)!.idKey;
  const unnamed = new Map<number, StoredRecord>();
  const seen = new Set<StoredRecord>();
  let read = 0;
  for (const record of was?.records ?? []) {
    if (idOf(record.value, idKey) === undefined) unnamed.set(record.slot, record);
  }
  for (const after of is?.records ?? []) {
    if (++read % STEP === 0) yield;
    const id = idOf(after.value, idKey);
    // A record without an id is known by its place.
    const before = id === undefined ? unnamed.get(after.slot) : was?.get(id);
    if (before) seen.add(before);
    if (before === after || before?.text === after.text) continue;
    changes.push({ name, isSingleton: false, id, before, after });
  }
  for (const before of was?.records ?? []) {
    if (++read % STEP === 0) yield;
    if (seen.has(before)) continue;
    changes.push({ name, isSingleton: false, id: idOf(before.value, idKey), before, after: undefined });
  }
}

function kindOf(member: StateMember | undefined): Member["kind"] | undefined {
  if (member instanceof Collection) return "collection";
  return member?.kind === "singleton" ? "singleton" : undefined;
}

function asCollection(member: StateMember | undefined): Collection | undefined {
  return member instanceof Collection ? member : undefined;
}

function recordOf(member: StateMember | undefined): StoredRecord | undefined {
  return member && !(member instanceof Collection) && member.kind === "singleton" ? member.record : undefined;
}
