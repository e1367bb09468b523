import type { Json, JsonObject } from "../json.ts";
import type { Query } from "../query/query.ts";
import type { Id } from "./ids.ts";
import type { StoredRecord } from "./stored-record.ts";

/** Where records live. Every store keeps this interface; nothing above it knows which one it talks to. */
export interface Store {
  /** What `/health-check` calls it. Callers that need to know more ask the questions below. */
  readonly engine: string;
  /** Where writes go, in words for a person: a path, or why nothing is written. */
  readonly place: string;
  /** The name of the primary key field. */
  readonly idKey: string;
  /** Names this load of the data; ETags carry it, so that none outlives its data. */
  readonly epoch: string;
  /** What a kept write survives: the end of the process, or a power loss, too. Undefined where nothing is kept, or others answer for it. */
  readonly durability?: "process" | "disk";

  /** What is served, in the order of the data. */
  members(): Member[];
  kindOf(name: string): Member["kind"] | undefined;
  /** Brings up to date what `members` and `kindOf` tell, where other processes write, too. Throws when the store is out of reach. */
  refresh(): Eventually<void>;
  /** A text that changes with any change to the named members (all of them when none is named). */
  stamp(names?: readonly string[]): Eventually<string>;

  get(collection: string, id: string): Eventually<StoredRecord | undefined>;
  /** The record with all that belongs to it, for stores where each question costs a journey. */
  getWith?(
    collection: string,
    id: string,
    relations: readonly Relation[],
    stampOf: readonly string[],
  ): Promise<FoundRecord | undefined>;
  /** An id from a path, in the type that the ids of the collection have: what a key that refers to it must hold. */
  keyFor(collection: string, id: string): Eventually<Id>;
  singleton(name: string): Eventually<StoredRecord | undefined>;
  find(collection: string, query: Query, options?: FindOptions): Eventually<Found>;
  /** The records whose `field`, as text, is one of `values`, grouped by that text. */
  related(collection: string, field: string, values: ReadonlySet<string>): Eventually<Map<string, StoredRecord[]>>;
  /**
   * The first of the fields that some record of the collection holds; undefined when none does. Where asking costs a
   * journey, a field that stands alone may be one that records held once, unless the answer must be certain.
   */
  heldField(collection: string, fields: readonly string[], isCertain?: boolean): Eventually<string | undefined>;
  /** The indexes a collection has now, in words. */
  indexes(collection: string): string[];
  statistics(collection: string): Eventually<Statistics>;
  /** Everything, as it is at one moment; of each collection at most `limit` records. */
  export(limit?: number): Eventually<Exported[]>;

  /** Carries out a write whole or not at all; settles when it is kept. */
  apply(write: Write): Promise<Change>;
  /** Exchanges everything for another database, at once for every reader; settles when it is kept. */
  swap(database: JsonObject): Promise<void>;
  /** Back to the data as last loaded from outside. */
  reset(): Promise<void>;
  /** Looks whether the source was changed from outside, and takes what it holds; tells whether it did. Throws when it cannot be read, and keeps the data. */
  reload(): Promise<boolean>;
  /** Tells the listener of everything that is kept from now on, in order; gives back how to stop that. */
  subscribe(listener: StoreListener): () => void;
  close(): Promise<void>;
  /** Whether the data came from a file or folder, also where nothing is written back to it. */
  readonly isFromFile?: boolean;
  /** Set where several processes serve the same data. */
  readonly shared?: SharedData;
}

/** The operations of data that several processes serve. */
export interface SharedData {
  /** Counts a request under a key, in a window of time that all processes share; resolves to the count so far. */
  countRequest(key: string, windowSeconds: number): Promise<number>;
  /** Fills the database if it never held anything. Of several processes one does; resolves to whether this one did. */
  seed(make: () => JsonObject): Promise<boolean>;
  /** Snapshots kept beside the data, for every process to see. */
  readonly snapshots: SharedSnapshots;
}

export interface SharedSnapshots {
  /** Newest first. */
  list(): Promise<StoredSnapshot[]>;
  save(id: string): Promise<StoredSnapshot>;
  /** Resolves to whether there was such a snapshot. */
  restore(id: string): Promise<boolean>;
  read(id: string): Promise<JsonObject>;
  remove(id: string): Promise<boolean>;
}

export interface StoredSnapshot {
  readonly id: string;
  readonly createdAt: Date;
  readonly bytes: number;
  readonly counts: Counts;
}

export type Eventually<T> = T | Promise<T>;

export interface Member {
  name: string;
  kind: "collection" | "singleton";
  count: number;
}

/** How many records each collection has (a singleton counts as one). */
export type Counts = Record<string, number>;

export function countsOf(store: Store): Counts {
  return Object.fromEntries(store.members().map(({ name, count }) => [name, count]));
}

/** Records of another collection that belong to those found: their `field` has the text that the found have in `of`. */
export interface Relation {
  readonly collection: string;
  readonly field: string;
  readonly of: string;
}

/** A record with what belongs to it, and the stamp of the members it was asked with. */
export interface FoundRecord {
  readonly record: StoredRecord;
  readonly related: readonly ReadonlyMap<string, StoredRecord[]>[];
  readonly stamp: string;
}

export interface FindOptions {
  /** Refuse filters on fields that no record has, instead of passing over them. */
  strict?: boolean;
  /** The texts of the records are all that is wanted of them. */
  asText?: boolean;
  /** Filled with how the answer was found. */
  trace?: Trace;
  /** What else is wanted, if the store can give it in one go: `related` then has an entry for each of these. */
  with?: readonly Relation[];
  /** Members whose stamp is wanted with the records: it is never newer than they are. */
  stampOf?: readonly string[];
}

/** What was done to answer, for people who want to know. */
export interface Trace {
  readonly steps: string[];
  /** Records looked at or handed out. */
  touched: number;
  /** What would make the query cheaper, in words. */
  suggestions?: string[];
}

/** The window of a query, and how many records matched before it was cut. */
export interface Found {
  records: readonly StoredRecord[];
  total: number;
  /** The JSON texts of the records, separated by commas: only when asked for, and where a store keeps them that way. */
  text?: string | undefined;
  related?: readonly ReadonlyMap<string, StoredRecord[]>[];
  /** Where it was asked for. */
  stamp?: string;
}

export interface Statistics {
  count: number;
  fields: Record<string, { min: number; max: number; mean: number }>;
}

/** One top-level key of the database. `aside` is kept and shown in the whole database but is no route (`$schema`). */
export type Exported =
  | { kind: "collection"; name: string; records: readonly StoredRecord[]; version: number }
  | { kind: "singleton"; name: string; record: StoredRecord; version: number }
  | { kind: "aside"; name: string; value: Json; version: number };

/** A member as the value of its key. */
export function contentOf(member: Exported): Json {
  switch (member.kind) {
    case "collection":
      return member.records.map((record) => record.value);
    case "singleton":
      return member.record.value;
    case "aside":
      return member.value;
  }
}

/** What is asked for. `expect` looks at the record about to be written and throws when the write must not happen. */
export type Write =
  | { kind: "create"; collection: string; bodies: readonly JsonObject[] }
  | { kind: "replace" | "patch"; collection: string; id: string; body: JsonObject; expect?: Expectation | undefined }
  | {
      kind: "remove";
      collection: string;
      id: string;
      /** Collections whose records go too when their `key` refers to the removed one. */
      dependents: readonly { collection: string; key: string }[];
      expect?: Expectation | undefined;
    }
  | { kind: "replace-singleton" | "patch-singleton"; name: string; body: JsonObject; expect?: Expectation | undefined };

/** A new value for a record that is held now. No `before`: it is appended. No `value`: it is removed. */
export interface RecordEdit {
  readonly name: string;
  readonly before?: StoredRecord | undefined;
  readonly value?: Json | undefined;
}

export type Expectation = (current: StoredRecord) => void;

/** What happened: the one shape of a write, for whoever keeps, undoes or listens. */
export interface Change {
  readonly version: number;
  readonly edits: readonly Edit[];
}

/** What listeners hear: a change, or that everything was exchanged for other data (restore, reset, reload). */
export type StoreEvent =
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "exchange"; readonly version: number };

export type StoreListener = (event: StoreEvent) => void;

/** One record before and after. No `before`: it was created. No `after`: it was removed. */
export interface Edit {
  readonly name: string;
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}
