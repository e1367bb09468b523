import type { Completion } from "../../completion.ts";
import { type Id, idOf, lookupKey, type NewId, randomId } from "../../ids.ts";
import { refersTo } from "../../key-texts.ts";
import type { PlannedCollection, PlannedState } from "../../memory/plan-change.ts";
import type { Change } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";

/** The most ids to look for at a time. */
const MAX_AHEAD = 1000;

/** Planning needs records that were not fetched: fetch them, and plan again. */
export class Unfetched extends Error {
  readonly collection: string;
  readonly ids: readonly string[];

  constructor(collection: string, ids: readonly string[]) {
    super(`${collection} ${ids[0]} is not fetched`);
    this.collection = collection;
    this.ids = ids;
  }
}

/** The facts about a collection's ids that a new id depends on. */
export interface IdFacts {
  readonly hasNumbers: boolean;
  readonly hasTexts: boolean;
  readonly largest: number | undefined;
}

export interface FetchedCollectionOptions {
  readonly name: string;
  readonly idKey: string;
  readonly nextSlot: number;
  readonly facts: IdFacts | undefined;
  readonly completion: Completion | undefined;
}

/** The part of a locked collection that a batch of writes needs: the fetched records, as changed by the writes so far. */
export class FetchedCollection implements PlannedCollection {
  readonly name: string;
  readonly idKey: string;
  readonly completion: Completion | undefined;
  readonly records: StoredRecord[] = [];
  nextSlot: number;
  readonly #fetched = new Map<Id, StoredRecord | undefined>();
  readonly #facts: IdFacts | undefined;
  /** The texts proposed as ids, so that planning again proposes the same. */
  readonly #texts = new Map<string, string>();
  /** How many proposed ids to fetch at once: more each time, as there may be many to come. */
  #ahead = 1;
  #largest: number;
  #hasNumbers: boolean;

  constructor({ name, idKey, nextSlot, facts, completion }: FetchedCollectionOptions) {
    this.name = name;
    this.idKey = idKey;
    this.nextSlot = nextSlot;
    this.#facts = facts;
    this.completion = completion;
    this.#largest = facts?.largest ?? Number.NEGATIVE_INFINITY;
    this.#hasNumbers = facts?.hasNumbers ?? false;
  }

  /** Adds the record that the database has for an id, or undefined. */
  addFetched(id: string, record: StoredRecord | undefined): void {
    this.#fetched.set(lookupKey(id), record);
  }

  get(id: Id): StoredRecord | undefined {
    const key = lookupKey(id);
    if (this.#fetched.has(key)) return this.#fetched.get(key);
    if (this.#isNew(key)) return undefined;
    throw new Unfetched(this.name, [String(id)]);
  }

  /** Those of the ids that records have; those not fetched yet are fetched together. */
  existing(ids: readonly string[]): ReadonlySet<string> {
    const unknown = ids.filter((id) => !this.#fetched.has(lookupKey(id)) && !this.#isNew(lookupKey(id)));
    if (unknown.length > 0) throw new Unfetched(this.name, unknown);
    return new Set(ids.filter((id) => this.get(id)));
  }

  referring(key: string, id: string): readonly StoredRecord[] {
    return this.records.filter(({ value }) => refersTo(value, { field: key, isList: false }, id));
  }

  newIds(): NewId {
    const slot = this.nextSlot;
    const ids = this.completion?.ids;
    const isSure = typeof ids === "object" && ids.areUnique;
    let attempt = 0;
    const newText = (isTaken: (id: Id) => boolean): string => {
      for (;;) {
        const id = this.#text(slot, attempt);
        if (!isSure) this.#fetchAhead(id, (at) => this.#text(slot, attempt + at));
        attempt++;
        if (isSure || !isTaken(id)) return id;
      }
    };
    if (typeof ids === "object") return (_promised, isTaken) => newText(isTaken);
    return (promised, isTaken) => {
      if (ids === undefined && !this.#hasNumbers && this.#facts?.hasTexts) return newText(isTaken);
      const largest = Math.max(promised, this.#largest);
      for (let id = largest === Number.NEGATIVE_INFINITY ? 1 : largest + 1; Number.isSafeInteger(id); id++) {
        if (id === 0) continue;
        this.#fetchAhead(id, (at) => id + at);
        if (!isTaken(id)) return id;
      }
      return newText(isTaken);
    };
  }

  #text(slot: number, attempt: number): string {
    const key = `${slot}/${attempt}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const ids = this.completion?.ids;
    const text = typeof ids === "object" ? ids.next({ collection: this.name, slot, attempt }) : randomId();
    this.#texts.set(key, text);
    return text;
  }

  /** Asks for an id that may be taken, together with those that will be proposed after it. */
  #fetchAhead(id: Id, idAt: (position: number) => Id): void {
    const key = lookupKey(id);
    if (this.#fetched.has(key) || this.#isNew(key)) return;
    const ids = Array.from({ length: this.#ahead }, (_, position) => String(idAt(position)));
    this.#ahead = Math.min(2 * this.#ahead, MAX_AHEAD);
    throw new Unfetched(this.name, ids);
  }

  /** Whether an id is above all that were there, and none of those is a text. */
  #isNew(key: Id): boolean {
    return Number.isInteger(key) && Number(key) > this.#largest && this.#facts?.hasTexts === false;
  }

  put(slot: number, before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    const id = idOf((after ?? before)!.value, this.idKey);
    if (id === undefined) return;
    this.#fetched.set(lookupKey(id), after);
    if (before) return;
    this.nextSlot = Math.max(this.nextSlot, slot + 1);
    if (typeof id !== "number") return;
    this.#hasNumbers = true;
    if (Number.isInteger(id)) this.#largest = Math.max(this.#largest, id);
  }
}

/** The database as a batch of writes sees it: each write sees the effects of those before it. */
export class PlannedDatabase implements PlannedState {
  version: number;
  readonly #collections = new Map<string, FetchedCollection>();
  readonly #singletons = new Map<string, StoredRecord>();

  constructor(version: number) {
    this.version = version;
  }

  addCollection(collection: FetchedCollection): void {
    this.#collections.set(collection.name, collection);
  }

  addSingleton(name: string, record: StoredRecord): void {
    this.#singletons.set(name, record);
  }

  collection(name: string): FetchedCollection | undefined {
    return this.#collections.get(name);
  }

  singleton(name: string): StoredRecord | undefined {
    return this.#singletons.get(name);
  }

  commit({ version, edits }: Change): void {
    this.version = version;
    for (const { name, before, after } of edits) {
      const collection = this.#collections.get(name);
      if (collection) collection.put((after ?? before)!.slot, before, after);
      else if (after) this.#singletons.set(name, after);
    }
  }
}
