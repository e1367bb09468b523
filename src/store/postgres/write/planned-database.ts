import { type Id, idOf, lookupKey, type NewId, randomId } from "../../ids.ts";
import type { PlannedCollection, PlannedState } from "../../memory/plan-change.ts";
import { refersTo } from "../../refers-to.ts";
import type { Change } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";

/** Planning needs a record that was not fetched: fetch it, and plan again. */
export class Unfetched extends Error {
  readonly collection: string;
  readonly id: string;

  constructor(collection: string, id: string) {
    super(`${collection} ${id} is not fetched`);
    this.collection = collection;
    this.id = id;
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
  /** Random ids to use where ids are texts. */
  readonly spareIds: readonly string[];
}

/** The part of a locked collection that a batch of writes needs: the fetched records, as changed by the writes so far. */
export class FetchedCollection implements PlannedCollection {
  readonly name: string;
  readonly idKey: string;
  readonly records: StoredRecord[] = [];
  nextSlot: number;
  readonly #fetched = new Map<Id, StoredRecord | undefined>();
  readonly #facts: IdFacts | undefined;
  readonly #spareIds: readonly string[];
  #largest: number;
  #hasNumbers: boolean;

  constructor({ name, idKey, nextSlot, facts, spareIds }: FetchedCollectionOptions) {
    this.name = name;
    this.idKey = idKey;
    this.nextSlot = nextSlot;
    this.#facts = facts;
    this.#spareIds = spareIds;
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
    const isNew = typeof key === "number" && key > this.#largest && this.#facts?.hasTexts === false;
    if (isNew && Number.isInteger(key)) return undefined;
    throw new Unfetched(this.name, String(id));
  }

  referring(key: string, id: string): readonly StoredRecord[] {
    return this.records.filter((record) => refersTo(record, key, id));
  }

  newIds(): NewId {
    let tried = 0;
    const spareId = (isTaken: (id: Id) => boolean): string => {
      while (tried < this.#spareIds.length) {
        const id = this.#spareIds[tried++]!;
        if (!isTaken(id)) return id;
      }
      return randomId();
    };
    return (promised, isTaken) => {
      if (!this.#hasNumbers && this.#facts?.hasTexts) return spareId(isTaken);
      const largest = Math.max(promised, this.#largest);
      let id = largest === Number.NEGATIVE_INFINITY ? 1 : largest + 1;
      while (Number.isSafeInteger(id) && (id === 0 || isTaken(id))) id++;
      return Number.isSafeInteger(id) ? id : spareId(isTaken);
    };
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
