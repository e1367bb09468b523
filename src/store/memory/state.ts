import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { isAddressable, randomId } from "../ids.ts";
import { isTooDeep, MAX_RECORD_LEVELS, tooDeepMessage } from "../nesting.ts";
import type { Change, Edit } from "../store.ts";
import { positionOf, StoredRecord } from "../stored-record.ts";
import { Collection } from "./collection.ts";

/** A top-level plain object: one record that is replaced as a whole. */
export interface Singleton {
  readonly kind: "singleton";
  readonly record: StoredRecord;
}

/** A top-level value that is no route but belongs to the file, such as `$schema`. */
export interface Aside {
  readonly kind: "aside";
  readonly value: Json;
}

export type StateMember = Collection | Singleton | Aside;

/** Top-level keys that are kept but not served. */
const ASIDE_KEYS = new Set(["$schema"]);

export function isAside(name: string): boolean {
  return ASIDE_KEYS.has(name);
}

/**
 * Everything that is served, in memory. A State is cheap to fork: collections are shared until one side writes, and a
 * write puts new records in place of old ones, never into them.
 */
export class State {
  /** Unlike for every load, so that no ETag outlives the data it was made from. */
  readonly epoch: string;
  readonly idKey: string;
  /** What new text ids are made from; undefined for chance. */
  readonly seed: number | undefined;
  /** Counts changes. */
  version: number;
  readonly #members: Map<string, StateMember>;
  /** A branch leaves the indexes of a collection it copies to those it came from. */
  readonly #isBranch: boolean;

  private constructor(
    idKey: string,
    members: Map<string, StateMember>,
    version: number,
    seed: number | undefined,
    isBranch = false,
  ) {
    this.epoch = randomId();
    this.idKey = idKey;
    this.seed = seed;
    this.#members = members;
    this.version = version;
    this.#isBranch = isBranch;
  }

  /** The same as `load`, in everything but the data. */
  loadNext(database: JsonObject, warn?: (text: string) => void): State {
    return State.load(database, this.idKey, warn, undefined, this.seed);
  }

  /** Collections of `minIndexed` records or more get indexes when they are queried. Takes a parsed database; a member that is neither an array nor an object is kept aside. */
  static load(
    database: JsonObject,
    idKey: string,
    warn: (text: string) => void = () => {},
    minIndexed?: number,
    seed?: number,
  ): State {
    const members = new Map<string, StateMember>();
    for (const [name, value] of Object.entries(database)) {
      if (Array.isArray(value) && !isAside(name)) {
        members.set(name, Collection.load(name, value, idKey, 1, warn, minIndexed, seed));
      } else if (isAside(name) || !isJsonObject(value)) members.set(name, { kind: "aside", value });
      else members.set(name, { kind: "singleton", record: new StoredRecord(value, 1, 0) });
    }
    return new State(idKey, members, 1, seed);
  }

  /** Another State with the same data. Costs one pointer per collection; the copy of a collection is made by its first writer. */
  fork(isBranch = this.#isBranch): State {
    for (const member of this.#members.values()) if (member instanceof Collection) member.isShared = true;
    return new State(this.idKey, new Map(this.#members), this.version, this.seed, isBranch);
  }

  /** A fork beside this state, not in its place: this one goes on being asked most, and keeps its indexes. */
  branch(): State {
    return this.fork(true);
  }

  members(): IterableIterator<[string, StateMember]> {
    return this.#members.entries();
  }

  collection(name: string): Collection | undefined {
    const member = this.#members.get(name);
    return member instanceof Collection ? member : undefined;
  }

  singleton(name: string): StoredRecord | undefined {
    const member = this.#members.get(name);
    return member && !(member instanceof Collection) && member.kind === "singleton" ? member.record : undefined;
  }

  /**
   * Moves to what the change describes, and gives back the position at which each edit was made. Cannot fail: whatever
   * could be wrong was found when the change was planned.
   */
  commit(change: Change): number[] {
    this.version = change.version;
    return change.edits.map((edit) => this.#commitEdit(edit, change.version));
  }

  /** Where an edit will be made. */
  positionOf({ name, before }: Edit): number {
    const records = this.collection(name)?.records ?? [];
    return before ? positionOf(records, before.slot) : records.length;
  }

  /** Takes the latest change back. Versions go on counting, so nobody mistakes the old data for the taken-back. */
  undo(change: Change): void {
    const edits = change.edits.map(({ name, before, after }) => ({ name, before: after, after: before })).reverse();
    this.commit({ version: this.version + 1, edits });
  }

  #commitEdit({ name, before, after }: Edit, version: number): number {
    if (!this.collection(name)) {
      if (after) this.#members.set(name, { kind: "singleton", record: after });
      return 0;
    }
    const collection = this.#writable(name);
    collection.version = version;
    if (before && after) return collection.replace(before, after);
    return after ? collection.insert(after) : collection.remove(before as StoredRecord);
  }

  #writable(name: string): Collection {
    const collection = this.collection(name)!;
    if (!collection.isShared) return collection;
    const copy = collection.clone(!this.#isBranch);
    this.#members.set(name, copy);
    return copy;
  }
}

/** Why a value cannot be a database, in words; undefined when it can. */
export function databaseProblem(value: Json): string | undefined {
  if (!isJsonObject(value)) {
    const found = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
    return `the data must be an object with one key per collection, but is ${found}. Wrap it: { "products": [ ... ] }.`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isAddressable(name)) return `${JSON.stringify(name)} holds half of a character, so no address can name it.`;
    const levels = MAX_RECORD_LEVELS + (Array.isArray(member) ? 1 : 0);
    if (isTooDeep(member, levels)) return tooDeepMessage(member, name, levels);
    if (isAside(name) || Array.isArray(member) || isJsonObject(member)) continue;
    const found = member === null ? "null" : `a ${typeof member}`;
    return `"${name}" must be an array (a collection) or an object (a singleton), but is ${found}.`;
  }
  return undefined;
}
