import { type Json, type JsonObject, setField, stringifyJson } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import { type Id, idOf } from "../../store/ids.ts";
import { contentOf, type Exported } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import type { RevertConflict, ThreeStates } from "./revert-conflict.ts";

/** The members of a database by their names, in their order. */
export type MembersOf = ReadonlyMap<string, Exported>;

interface Merged {
  readonly database: JsonObject;
  readonly conflicts: readonly RevertConflict[];
}

/** Takes back everything that tells `base` from `earlier`, member by member, and keeps what has changed since elsewhere. */
export function* mergeMembers(states: ThreeStates<MembersOf>, idKeyOf: (name: string) => string): Work<Merged> {
  const { base, earlier, now } = states;
  const database: JsonObject = {};
  const conflicts: RevertConflict[] = [];
  for (const name of new Set([...earlier.keys(), ...now.keys()])) {
    const of = { base: base.get(name), earlier: earlier.get(name), now: now.get(name) };
    const merging = new MemberMerge(name, idKeyOf(name), conflicts);
    const content = yield* merging.content(of);
    if (content !== undefined) setField(database, name, content);
  }
  return { database, conflicts };
}

/** The merge of one member; adds its conflicts to those of the others. */
class MemberMerge {
  readonly #name: string;
  readonly #idKey: string;
  readonly #conflicts: RevertConflict[];

  constructor(name: string, idKey: string, conflicts: RevertConflict[]) {
    this.#name = name;
    this.#idKey = idKey;
    this.#conflicts = conflicts;
  }

  /** Undefined where the member is to go. */
  *content({ base, earlier, now }: ThreeStates<Exported | undefined>): Work<Json | undefined> {
    if ((yield* areSame(base, earlier)) || (yield* areSame(now, earlier))) return now && contentOf(now);
    if (yield* areSame(now, base)) return earlier && contentOf(earlier);
    if (base?.kind === "collection" || earlier?.kind === "collection" || now?.kind === "collection") {
      const lists = { base: recordsOf(base), earlier: recordsOf(earlier), now: recordsOf(now) };
      return yield* this.#records(lists, earlier === undefined);
    }
    this.#note(null, {
      base: base && contentOf(base),
      earlier: earlier && contentOf(earlier),
      now: now && contentOf(now),
    });
    return undefined;
  }

  *#records(lists: ThreeStates<readonly StoredRecord[]>, isGoing: boolean): Work<Json[] | undefined> {
    const base = yield* this.#byId(lists.base);
    const earlier = yield* this.#byId(lists.earlier);
    const now = yield* this.#byId(lists.now);
    const merged: Json[] = [];
    for (const [id, record] of now) {
      const [left, wanted] = [base.get(id), earlier.get(id)];
      const kept = left?.text === wanted?.text ? record : record.text === left?.text ? wanted : record;
      const isInTheWay = kept === record && left?.text !== wanted?.text && record.text !== wanted?.text;
      if (isInTheWay || (isGoing && kept))
        this.#note(id, { base: left?.value, earlier: wanted?.value, now: record.value });
      if (kept) merged.push(kept.value);
      if (merged.length % STEP === 0) yield;
    }
    for (const [position, record] of lists.earlier.entries()) {
      const id = this.#keyOf(record, position);
      if (now.has(id)) continue;
      const left = base.get(id);
      if (left && left.text !== record.text)
        this.#note(id, { base: left.value, earlier: record.value, now: undefined });
      else if (!left) merged.splice(position, 0, record.value);
      if (position % STEP === 0) yield;
    }
    return isGoing ? undefined : merged;
  }

  *#byId(records: readonly StoredRecord[]): Work<Map<Id, StoredRecord>> {
    const found = new Map<Id, StoredRecord>();
    for (const [position, record] of records.entries()) {
      found.set(this.#keyOf(record, position), record);
      if (position % STEP === 0) yield;
    }
    return found;
  }

  /** A record without an id is known by its place. */
  #keyOf({ value }: StoredRecord, position: number): Id {
    return idOf(value, this.#idKey) ?? `\u0000${position}`;
  }

  #note(id: Id | null, { base = null, earlier = null, now = null }: ThreeStates<Json | undefined>): void {
    this.#conflicts.push({ collection: this.#name, id, base, earlier, now });
  }
}

function recordsOf(member: Exported | undefined): readonly StoredRecord[] {
  return member?.kind === "collection" ? member.records : [];
}

function* areSame(one: Exported | undefined, other: Exported | undefined): Work<boolean> {
  if (!one || !other || one.kind !== other.kind) return one === other;
  if (one.kind !== "collection" || other.kind !== "collection") {
    return stringifyJson(contentOf(one)) === stringifyJson(contentOf(other));
  }
  if (one.records.length !== other.records.length) return false;
  for (const [position, record] of one.records.entries()) {
    const twin = other.records[position];
    if (record !== twin && record.text !== twin?.text) return false;
    if (position % STEP === 0) yield;
  }
  return true;
}
