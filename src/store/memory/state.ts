import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { atOnce, STEP, type Work } from "../../base/slices.ts";
import type { Completions } from "../completion.ts";
import type { AlteredMember, HistoryLimits } from "../history.ts";
import { IdKeys } from "../id-keys.ts";
import { isAddressable, randomId } from "../ids.ts";
import { isTooDeep, MAX_RECORD_LEVELS, tooDeepMessage } from "../nesting.ts";
import { Receipts } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import type { MemberNames } from "../refuse-member-edit.ts";
import type { Change, Edit, MemberEdit } from "../store.ts";
import { positionOf, StoredRecord } from "../stored-record.ts";
import { Collection, MAX_INDEXED_EDITS } from "./collection.ts";

/** A top-level plain object: one record that is replaced as a whole. */
export interface Singleton {
  readonly kind: "singleton";
  readonly record: StoredRecord;
}

/** A top-level value that is part of the file but not a route, such as `$schema`. */
export interface Aside {
  readonly kind: "aside";
  readonly value: Json;
}

export type StateMember = Collection | Singleton | Aside;

/** Top-level keys that are saved but not served. */
const ASIDE_KEYS = new Set(["$schema"]);
/** The most edits to undo one by one: each may move all records behind it. */
const MAX_SINGLE_UNDO = 200;

/** The version of members that were not changed since they were loaded. */
export const LOADED_VERSION = 1;

/** Whether the commit of a change exchanges whole collections, which were prepared with pauses. */
export function isPrepared({ isOrdered = false, edits }: Change): boolean {
  return isOrdered && edits.length > MAX_INDEXED_EDITS;
}

export function isAside(name: string): boolean {
  return ASIDE_KEYS.has(name);
}

/** The settings that other data of the same store has, too. */
interface StateSettings {
  /** The seed of new text ids; random without it. */
  readonly seed?: number | undefined;
  readonly completions?: Completions | undefined;
  readonly rules?: RecordRules | undefined;
  /** How much of the past to keep; nothing without it. */
  readonly history?: HistoryLimits | undefined;
}

export interface StateOptions extends StateSettings {
  readonly warn?: ((text: string) => void) | undefined;
  /** The number of records from which on queries build indexes. */
  readonly minIndexed?: number | undefined;
}

/** The data of a State that has ended, with the versions that its ETags name. */
export interface KeptState {
  readonly version: number;
  readonly epoch: string;
  /** The fields that renamed collections keep. */
  readonly idKeys: ReadonlyMap<string, string>;
  readonly members: readonly {
    readonly name: string;
    readonly kind: "collection" | "singleton" | "aside";
    readonly version: number;
    readonly values: readonly Json[];
    /** Those of the values; made on demand where they are missing. */
    readonly records?: StoredRecord[];
  }[];
}

/** The members before one came, went or got another name. */
export interface MembersBefore {
  readonly names: readonly string[];
  /** The one that went. */
  readonly removed: StateMember | undefined;
  readonly idKeys: IdKeys;
}

/** A change without the version that it led to. */
export type UndoneChange = Pick<Change, "edits" | "isOrdered">;

/** The parts of a new State. */
interface StateParts {
  readonly idKeys: IdKeys;
  readonly members: Map<string, StateMember>;
  readonly version: number;
  readonly settings: StateSettings;
  readonly isBranch?: boolean;
}

/**
 * All served data, in memory. A State is cheap to fork: collections are shared until one side writes, and a write replaces
 * records instead of modifying them.
 */
export class State {
  #epoch: string | undefined;
  #idKeys: IdKeys;
  readonly settings: StateSettings;
  /** Counts changes. */
  version: number;
  /** Belong to this State alone: other data, or a fork of these, starts without any. */
  readonly receipts = new Receipts();
  #members: Map<string, StateMember>;
  /** The members that a change leaves, where it is prepared. */
  readonly #prepared = new WeakMap<Change, ReadonlyMap<string, StateMember>>();
  #isCreated = false;
  /** A branch copies collections without their indexes, which stay with the original. */
  readonly #isBranch: boolean;

  constructor({ idKeys, members, version, settings, isBranch = false }: StateParts) {
    this.#idKeys = idKeys;
    this.settings = settings;
    this.#members = members;
    this.version = version;
    this.#isBranch = isBranch;
  }

  /** Unique for every load, so that no ETag outlives its data. Drawn when first needed: not all platforms can earlier. */
  get epoch(): string {
    this.#epoch ??= randomId();
    return this.#epoch;
  }

  /** Creates a State with other data and the same settings. */
  loadNext(database: JsonObject, warn?: (text: string) => void): State {
    return State.load(database, this.#idKeys, { ...this.settings, warn });
  }

  /** Creates a State with the same data and settings, whose collections have another primary key. */
  withIdKey(idKey: string, warn?: (text: string) => void): State {
    const database: JsonObject = {};
    for (const [name, member] of this.#members) {
      const value =
        member instanceof Collection
          ? member.records.map((record) => record.value)
          : member.kind === "singleton"
            ? member.record.value
            : member.value;
      Object.defineProperty(database, name, { value, enumerable: true });
    }
    return State.load(database, idKey, { ...this.settings, warn });
  }

  /** Creates a State from a parsed database. A member that is neither an array nor an object is kept aside. */
  static load(database: JsonObject, keys: IdKeys | string, given: StateOptions = {}): State {
    const idKeys = typeof keys === "string" ? IdKeys.from({ idKey: keys }) : keys;
    const { warn = () => {}, minIndexed, ...settings } = given;
    const { seed, completions } = settings;
    const members = new Map<string, StateMember>();
    const options = { version: LOADED_VERSION, warn, minIndexed, seed };
    for (const [name, value] of Object.entries(database)) {
      if (Array.isArray(value) && !isAside(name)) {
        const ofCollection = { idKey: idKeys.of(name), completion: completions?.get(name) };
        members.set(name, Collection.load(name, value, { ...options, ...ofCollection }));
      } else if (isAside(name) || !isJsonObject(value)) members.set(name, { kind: "aside", value });
      else members.set(name, { kind: "singleton", record: new StoredRecord(value, LOADED_VERSION, 0) });
    }
    return new State({ idKeys, members, version: LOADED_VERSION, settings });
  }

  /** Creates a State as it was when it was kept, with the same settings. */
  restore({ version, epoch, idKeys: kept, members }: KeptState): State {
    const idKeys = this.#idKeys.keeping(kept);
    const { settings } = this;
    const state = new State({ idKeys, members: new Map(), version, settings });
    state.#epoch = epoch;
    for (const { name, kind, version, values, records } of members) {
      const [value = null] = values;
      const [record = new StoredRecord({}, version, 0)] = records ?? [];
      if (kind === "aside") state.#members.set(name, { kind, value });
      else if (kind === "singleton") state.#members.set(name, { kind, record });
      else {
        const { seed, completions } = settings;
        const options = { idKey: idKeys.of(name), version, seed, ...(records && { records }), warn: () => {} };
        state.#members.set(name, Collection.load(name, values, { ...options, completion: completions?.get(name) }));
      }
    }
    return state;
  }

  /** Goes on as the State that a former run has ended with. */
  resume({ epoch, version }: Pick<KeptState, "epoch" | "version">): void {
    this.#epoch = epoch;
    this.version = version;
  }

  /** Creates a State with the same data, at the cost of one pointer per collection; the first writer copies a collection. */
  fork(isBranch = this.#isBranch): State {
    for (const member of this.#members.values()) if (member instanceof Collection) member.isShared = true;
    const { idKeys, version, settings } = this;
    return new State({ idKeys, members: new Map(this.#members), version, settings, isBranch });
  }

  /** Creates a fork that is to take the place of this state as the same load of the data, with its receipts. */
  successor(): State {
    const state = this.fork();
    state.resume(this);
    for (const receipt of this.receipts.values()) state.receipts.add(receipt);
    return state;
  }

  /** Creates a fork that is used beside this state: this one still gets most queries, so it keeps its indexes. */
  branch(): State {
    return this.fork(true);
  }

  /** The primary key fields, also of collections that do not exist yet. */
  get idKeys(): IdKeys {
    return this.#idKeys;
  }

  /** Whether all records of its collections are created, or few are left. */
  get isCreated(): boolean {
    if (!this.#isCreated) this.#isCreated = this.#collections().every(({ isCreated }) => isCreated);
    return this.#isCreated;
  }

  /** Creates all records, with pauses. */
  async create(): Promise<void> {
    for (const collection of this.#collections()) await collection.create();
  }

  #collections(): Collection[] {
    return [...this.#members.values()].filter((member) => member instanceof Collection);
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

  /** Applies a change, and returns the position of each edit. Cannot fail: planning has found all mistakes. */
  commit(change: Change): number[] {
    this.version = change.version;
    const positions: number[] = [];
    for (const edit of change.edits) positions.push(this.#commitEdit(edit, change.version));
    return positions;
  }

  /** Prepares an ordered change of many records with pauses. It must be the next one, or is to be planned again. */
  *prepare(change: Change): Work<void> {
    if (!isPrepared(change)) return;
    const members = new Map<string, StateMember>();
    for (const [name, edits] of yield* byName(change.edits)) {
      const collection = this.collection(name);
      if (collection) members.set(name, yield* collection.edited(edits, change.version));
      else {
        const record = edits.at(-1)?.after;
        if (record) members.set(name, { kind: "singleton", record });
      }
    }
    this.#prepared.set(change, members);
  }

  /**
   * Applies an ordered change with one pass over each of its collections, or in no time if it is prepared. Returns a
   * function that undoes it, while it is the latest change.
   */
  commitAtOnce(change: Change): () => void {
    this.version = change.version;
    const prepared = this.#prepared.get(change);
    this.#prepared.delete(change);
    if (prepared) return this.#exchangeMembers(prepared);
    for (const [name, edits] of atOnce(byName(change.edits))) {
      const collection = this.#writable(name, change.version);
      if (collection) collection.applyAll(edits);
      else for (const edit of edits) this.#commitEdit(edit, change.version);
    }
    return () => this.undo(change);
  }

  #exchangeMembers(members: ReadonlyMap<string, StateMember>): () => void {
    const former = new Map<string, StateMember>();
    for (const [name, member] of members) {
      const before = this.#members.get(name);
      if (before) former.set(name, before);
      if (before instanceof Collection && !before.isShared) before.forgetFindings();
      this.#members.set(name, member);
    }
    return () => {
      this.version++;
      for (const [name, member] of former) this.#members.set(name, member);
    };
  }

  /** The names of all members, for the check of an edit. */
  memberNames(): MemberNames {
    const kindOf = (name: string) =>
      this.collection(name) ? "collection" : this.singleton(name) ? "singleton" : undefined;
    return new Map([...this.#members.keys()].map((name) => [name, kindOf(name)]));
  }

  /** The members before an edit of them. */
  membersBefore(edit: AlteredMember): MembersBefore {
    const removed = edit.kind === "removed" ? this.#members.get(edit.name) : undefined;
    return { names: [...this.#members.keys()], removed, idKeys: this.#idKeys };
  }

  /** Creates, renames or removes a member. Returns a function that undoes it, while it is the latest change. */
  alter(edit: MemberEdit): () => void {
    const before = this.#members;
    const keysBefore = this.#idKeys;
    this.version++;
    if (edit.kind === "renamed") this.#keepIdKey(edit.name, edit.to);
    // A new collection has nothing to do with a renamed one of the same name.
    if (edit.kind === "created") this.#idKeys = this.#idKeys.keeping(without(this.#idKeys.kept, edit.name));
    const members = [...before].flatMap(([name, member]): [string, StateMember][] => {
      if (edit.kind === "created" || name !== edit.name) return [[name, member]];
      return edit.kind === "removed" ? [] : [[edit.to, this.#renamed(member, edit.to)]];
    });
    this.#members = new Map(members);
    if (edit.kind === "created") this.#members.set(edit.name, this.#empty(edit.name, edit.type));
    return () => {
      this.version++;
      this.#members = before;
      this.#idKeys = keysBefore;
    };
  }

  /** Takes the latest edit of members back: those before it are there again, in their order. */
  unalter({ name, to = name }: AlteredMember, { names, removed, idKeys }: MembersBefore): void {
    const present = this.#members;
    const later = present.get(to);
    this.version++;
    this.#idKeys = idKeys;
    const edited = removed ?? (later && this.#renamed(later, name));
    this.#members = new Map();
    for (const one of names) {
      const member = one === name ? edited : present.get(one);
      if (member) this.#members.set(one, member);
    }
  }

  /** A renamed collection keeps its key, also when its data is replaced, unless the new name has one of its own. */
  #keepIdKey(name: string, to: string): void {
    const idKey = this.collection(name)?.idKey;
    if (idKey === undefined || idKey === this.#idKeys.of(to)) return;
    this.#idKeys = this.#idKeys.keeping(new Map(this.#idKeys.kept).set(to, idKey));
  }

  #renamed(member: StateMember, name: string): StateMember {
    if (!(member instanceof Collection)) return member;
    const { version } = this;
    const idKey = this.#idKeys.of(name);
    const completion = this.settings.completions?.get(name);
    return member.clone(!this.#isBranch, { name, idKey, version, completion });
  }

  #empty(name: string, type: "collection" | "singleton"): StateMember {
    const { version } = this;
    if (type === "singleton") return { kind: "singleton", record: new StoredRecord({}, version, 0) };
    const { seed, completions } = this.settings;
    const idKey = this.#idKeys.of(name);
    return Collection.load(name, [], { idKey, version, seed, warn: () => {}, completion: completions?.get(name) });
  }

  /** The position of a planned edit. */
  positionOf({ name, before }: Edit): number {
    const records = this.collection(name)?.records ?? [];
    return before ? positionOf(records, before.slot) : records.length;
  }

  /** Undoes the latest change. Versions go on counting, so that the restored data has a version of its own. */
  undo(change: UndoneChange): void {
    if (change.edits.length > MAX_SINGLE_UNDO) {
      this.#undoAtOnce(change);
      return;
    }
    const edits = change.edits.map(({ name, before, after }) => ({ name, before: after, after: before })).reverse();
    this.commit({ version: this.version + 1, edits });
  }

  #undoAtOnce({ edits, isOrdered = false }: UndoneChange): void {
    this.version++;
    for (const [name, ofMember] of atOnce(byName(edits))) {
      const collection = this.#writable(name, this.version);
      // An ordered change has one edit of each record.
      if (collection) collection.undoAll(ofMember, isOrdered);
      else
        for (const { before: after } of ofMember.toReversed())
          this.#commitEdit({ name, before: undefined, after }, this.version);
    }
  }

  #commitEdit({ name, before, after }: Edit, version: number): number {
    const collection = this.#writable(name, version);
    if (!collection) {
      if (after) this.#members.set(name, { kind: "singleton", record: after });
      return 0;
    }
    if (before && after) return collection.replace(before, after);
    return after ? collection.insert(after) : collection.remove(before as StoredRecord);
  }

  /** The collection of a change that leads to this version; undefined for a singleton. */
  #writable(name: string, version: number): Collection | undefined {
    let collection = this.collection(name);
    if (collection?.isShared) {
      collection = collection.clone(!this.#isBranch);
      this.#members.set(name, collection);
    }
    if (collection) collection.version = version;
    return collection;
  }
}

function* byName(edits: readonly Edit[]): Work<ReadonlyMap<string, readonly Edit[]>> {
  const found = new Map<string, Edit[]>();
  for (const [position, edit] of edits.entries()) {
    const known = found.get(edit.name);
    if (known) known.push(edit);
    else found.set(edit.name, [edit]);
    if (position % STEP === STEP - 1) yield;
  }
  return found;
}

function without(kept: ReadonlyMap<string, string>, name: string): ReadonlyMap<string, string> {
  return new Map([...kept].filter(([other]) => other !== name));
}

/** The reason why a value is not a valid database; undefined if it is one. It is known to be shallow, or examined. */
export function databaseProblem(value: Json): string | undefined {
  if (!isJsonObject(value)) {
    const found = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
    return `the data must be an object with one key per collection, but is ${found}. Wrap it: { "products": [ ... ] }.`;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isAddressable(name))
      return `${JSON.stringify(name)} contains half of a surrogate pair, so no URL can contain it.`;
    const levels = MAX_RECORD_LEVELS + (Array.isArray(member) ? 1 : 0);
    if (isTooDeep(member, levels)) return tooDeepMessage(member, name, levels);
    if (isAside(name) || Array.isArray(member) || isJsonObject(member)) continue;
    const found = member === null ? "null" : `a ${typeof member}`;
    return `"${name}" must be an array (a collection) or an object (a singleton), but is ${found}.`;
  }
  return undefined;
}
