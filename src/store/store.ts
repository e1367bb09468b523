import { StandinError } from "../base/errors.ts";
import type { Eventually } from "../base/eventually.ts";
import type { Json, JsonObject } from "../base/json/json.ts";
import type { Work } from "../base/slices.ts";
import type { Payer, WorkAccount } from "../base/work-account.ts";
import type { FieldsOfRecords, Filter, Grouping, Query } from "../query/query.ts";
import type { DeclaredRelations } from "./declared-relations.ts";
import type { Origin, StoreHistory, VersionEdit, VersionedChange } from "./history.ts";
import type { Id } from "./ids.ts";
import { type KeptResponse, MAX_LENGTH, type Receipt, type ReceiptHead } from "./receipts.ts";
import type { SharedJobs } from "./shared-jobs.ts";
import type { KeptGuard, SharedSandboxes } from "./shared-sandboxes.ts";
import type { EditedRecords, StoredRecord } from "./stored-record.ts";

/** The records of a store, as requests read them. */
export interface Reads extends FieldsOfRecords {
  /** The name of the primary key field of collections without one of their own. */
  readonly defaultIdKey: string;
  /** Identifies this load of the data. Part of every ETag, so that none outlives its data. */
  readonly epoch: string;
  /** The collections and singletons, in the order of the data. */
  members(): Member[];
  kindOf(name: string): Member["kind"] | undefined;
  /** The name of a collection's primary key field; of one that does not exist, the one that it would get. */
  idKeyOf(collection: string): string;
  /** Updates `members` and `kindOf`, where other processes write, too. Throws when the store cannot be reached. */
  refresh(): Eventually<void>;
  /** A text that changes with every change to the named members, or to any member without `names`. */
  stamp(names?: readonly string[]): Eventually<string>;
  get(collection: string, id: string): Eventually<StoredRecord | undefined>;
  /** The record with a stamp and, where each query is a round trip, with its related records. */
  getWith(collection: string, id: string, options: GetOptions): Eventually<FoundRecord | undefined>;
  /** The id of a path in the type of the collection's ids: the value of a foreign key that refers to it. */
  keyFor(collection: string, id: string): Eventually<Id>;
  singleton(name: string): Eventually<StoredRecord | undefined>;
  find(collection: string, query: Query, options?: FindOptions): Eventually<Found>;
  /** The rows of a query with groups, in the order in which those first occur; ignores what the query asks of the rows. */
  group(collection: string, query: GroupQuery, options?: FindOptions): Eventually<Grouped>;
  /**
   * The records whose key, as text, is one of `values`, grouped by that text, each group in the order of the data. May stop
   * after `MAX_RELATED` records and one more.
   */
  related(collection: string, key: Key, values: ReadonlySet<string>): Eventually<Map<string, StoredRecord[]>>;
  /**
   * The first of the fields that any record of the collection has; undefined when none does. Where a query is a round
   * trip, the only candidate may be a field that records had once, unless `isCertain` is set.
   */
  heldField(collection: string, fields: readonly string[], isCertain?: boolean): Eventually<string | undefined>;
  /** Descriptions of a collection's current indexes. */
  indexes(collection: string): string[];
}

/** The changes to a store, each of which happens completely or not at all. */
export interface Writes {
  /** Applies a write; settles when it is durable. A change without edits leaves no trace. */
  apply(write: Write, options?: ApplyOptions): Eventually<Change>;
}

/** The records as a request reads and writes them: those of a store, or of a transaction in it. */
export interface RecordAccess extends Reads, Writes {
  /** The versions of the data that are still known. */
  readonly history?: StoreHistory<Store> | undefined;
}

/** The responses to requests with an `Idempotency-Key`. */
export interface KeptReceipts {
  /** The response that a request was given before, if it is still kept, and the load of the data it belongs to. */
  findReceipt(key: string): Eventually<FoundReceipt>;
  /**
   * Keeps the response to a request that changed nothing, unless all data was replaced since `load`. Resolves to the
   * receipt of the same key that another process has kept meanwhile, if there is one.
   */
  keepReceipt(receipt: Receipt, load: string): Promise<Receipt | undefined>;
}

/** All data at once, and its members, from the opening of a store to its end. */
export interface Lifecycle {
  /** Its name in `/health-check`. */
  readonly engine: string;
  /** The target of writes, for messages: a path, or why nothing is written. */
  readonly place: string;
  /** The event that acknowledged writes survive. Undefined if nothing is saved, or a database is responsible for it. */
  readonly durability?: Durability | undefined;
  /** Whether the data came from a file or folder, also where nothing is written back to it. */
  readonly isFromFile?: boolean;
  /** The relations that the source itself declares, such as the foreign keys of tables. */
  readonly declared?: DeclaredRelations | undefined;
  /** Facts about the data that the person who starts the server should know. */
  readonly notes?: readonly string[];
  /** Whether other processes change the data, too; each sees the changes of all. */
  readonly hasOtherWriters?: boolean;
  /** The most records of a collection to read where a look at all of them is not worth its cost. */
  readonly surveyLimit?: number;
  /** The same store where all its data can be read and changed within one turn. */
  readonly atHand?: StoreAtHand;
  /** Snapshots kept beside the data, where every process that serves it sees them. */
  readonly snapshots?: SharedSnapshots;
  /** Where features keep what a new run is to find, if that is kept at all. */
  readonly kept?: KeptValues | undefined;
  /** The changes before this run that are still known, oldest first. */
  readonly past?: readonly PastEvent[] | undefined;
  /**
   * Counts a request in a window of time that all processes on this data share; resolves to the count so far. `at`: the time
   * of a clock that was moved.
   */
  countRequest?(key: string, windowSeconds: number, at?: number): Promise<number>;
  /** Identifies the load of all data, where `epoch` outlives it. */
  readonly load?: string;
  /** Identifies the load of a collection, where listeners may learn later than readers that it was replaced. */
  loadOf?(collection: string): string;
  /** Fills data that never was filled. One of several processes does it; resolves to whether this one did. */
  seed?(make: () => JsonObject): Promise<boolean>;
  /** Set where this shows a part of another store. */
  readonly view?: StoreView;
  /** A copy-on-write `State` of the same data, where that costs a handful of pointers. */
  branch?(): object;
  /** Of the records that meet all conditions. */
  statistics(collection: string, where?: readonly Filter[]): Eventually<Statistics>;
  /**
   * All data of one moment; of each collection at most `limit` records. Where records come from elsewhere, those that do
   * not meet the conditions of `whereOf` stay there.
   */
  export(limit?: number, whereOf?: (name: string) => readonly Filter[] | undefined): Eventually<Exported[]>;
  /** Creates, renames or removes a member; settles when that is durable. Throws when it must not happen. */
  alter(edit: MemberEdit, options?: ApplyOptions): Promise<void>;
  /** Replaces all data, at once for every reader; settles when that is durable. */
  swap(database: JsonObject, origin?: Origin): Promise<void>;
  /** Replaces all data by what is made of it, if the rules allow it; meanwhile, writes wait. */
  remake(make: Remake, origin?: Origin): Promise<void>;
  /** Creates members, carries out a transaction and removes members, as one change; where there are sandboxes. */
  readonly rearrange?: ((rearrangement: Rearrangement, origin?: Origin) => Promise<Change>) | undefined;
  /** Restores the data as last loaded from outside. */
  reset(origin?: Origin): Promise<void>;
  /**
   * Loads the source if it was changed from outside; returns whether it did. Throws when it cannot be read, and keeps the
   * data.
   */
  reload(origin?: Origin): Promise<boolean>;
  /** Calls the listener with every durable change from now on, in order; returns a function that unsubscribes it. */
  subscribe(listener: StoreListener): () => void;
  /** Resolves when listeners miss no change by another process; absent where there are no other writers. */
  announced?(): Promise<void>;
  /** Tells other processes at which address the data is served. */
  announceAddress(url: string): void;
  /** Where several processes serve the data: the jobs of its changes. */
  readonly jobs?: SharedJobs;
  /** Where several processes serve the data: texts that they share. */
  readonly secrets?: SharedSecrets;
  /** Where several processes serve the data: the sandboxes of all of them. */
  readonly sandboxes?: SharedSandboxes;
  /**
   * A log of a feature beside the data; undefined where the data is in no file, or is not saved. The data keeps its journal
   * until `isNoted` settles: the log has what follows from the changes by then.
   */
  openLog?(kind: string, isNoted: () => Promise<void>): KeptLog | undefined;
  /** The changes that the journal of an earlier run has, oldest first, where that run made jobs of them, or should have. */
  readonly leftChanges?: readonly LeftChange[] | undefined;
  close(): Promise<void>;
}

/** Texts that no route, snapshot or export shows, such as keys. */
export interface SharedSecrets {
  read(name: string): Promise<string | undefined>;
  /** Replaces a text by what is made of it, one process at a time; resolves to the new one. */
  change(name: string, make: (text: string | undefined) => string): Promise<string>;
  /** Calls the listener when a text may have changed. */
  watch(listener: () => void): void;
}

/** The storage of records. All stores implement this interface; code above it does not know which one it uses. */
export interface Store extends RecordAccess, KeptReceipts, Lifecycle {}

/** Access to all data within one turn, for programs that see it as one object. */
export interface StoreAtHand extends Store {
  /** All current data, for a reader that is done with it in this turn. */
  peek(): Exported[];
  /** All data as programs may find it in a file of this store that lacks the latest changes, for a reader as that of `peek`. */
  staleCopies(): readonly (readonly Exported[])[];
  /** Finds all records by another field from now on; warns of those without it. Nothing is written: the data stays the same. */
  rekey(idKey: string, warn?: (text: string) => void): void;
  /** Commits record edits as one change, in this turn; settles when it is durable. */
  edit(edits: readonly ValueEdit[]): Promise<Change>;
  /** Replaces all data, in this turn; settles when that is durable. */
  swapAtOnce(database: JsonObject): Promise<void>;
}

/** A part of a store, as one user may see it. */
export interface StoreView {
  readonly of: Store;
  /** The part of an event that is seen; undefined for nothing. */
  seen(event: StoreEvent): StoreEvent | undefined;
}

export interface SharedSnapshots {
  /** Newest first. */
  list(): Promise<StoredSnapshot[]>;
  save(id: string): Promise<StoredSnapshot>;
  /** Resolves to whether there was such a snapshot. */
  restore(id: string, origin?: Origin): Promise<boolean>;
  read(id: string): Promise<JsonObject>;
  remove(id: string): Promise<boolean>;
}

export interface StoredSnapshot {
  readonly id: string;
  readonly createdAt: Date;
  readonly bytes: number;
  readonly counts: Counts;
}

/** `process`: an acknowledged write survives the end of this process. `disk`: it survives a power loss, too. */
export type Durability = "process" | "disk";

export interface Member {
  name: string;
  kind: "collection" | "singleton";
  count: number;
}

/** The creation, renaming or removal of a collection or singleton. */
export type MemberEdit =
  | { readonly kind: "created"; readonly name: string; readonly type: Member["kind"] }
  | { readonly kind: "renamed"; readonly name: string; readonly to: string }
  | { readonly kind: "removed"; readonly name: string };

/** The number of records of each collection (1 for a singleton). */
export type Counts = Record<string, number>;

export function countsOf(store: Store): Counts {
  return Object.fromEntries(store.members().map(({ name, count }) => [name, count]));
}

/** A field that refers to a record by its id, or to several by a list of ids. */
export interface Key {
  readonly field: string;
  readonly isList: boolean;
  /** Further conditions of the records that refer. */
  readonly where?: readonly Filter[] | undefined;
}

/** The most related records of one response. */
export const MAX_RELATED = 100_000;

/** Related records in another collection: their `field` has the same text as `of` in the records found. */
export interface Relation {
  readonly collection: string;
  readonly field: string;
  readonly of: string;
  /** Further conditions of the related records. */
  readonly where?: readonly Filter[] | undefined;
}

export interface GetOptions {
  readonly relations: readonly Relation[];
  /** The members whose stamp to return. */
  readonly stampOf: readonly string[];
}

/** A record with its related records, and the requested members' stamp. */
export interface FoundRecord {
  readonly record: StoredRecord;
  readonly related?: readonly ReadonlyMap<string, StoredRecord[]>[];
  /** Not newer than the related records. */
  readonly stamp: string;
}

export interface FindOptions {
  /** Only the texts of the records are needed: PostgreSQL joins them, and leaves out the records. */
  asText?: boolean;
  /** Filled with the steps of the search. */
  trace?: Trace;
  /** Related records to fetch, if the store can do it in the same query: `related` then has an entry for each of these. */
  with?: readonly Relation[];
  /** The members whose stamp to return with the records; it is never newer than they are. */
  stampOf?: readonly string[];
  /** Tells when the client has gone, for a query without a payer of its own. */
  payer?: Payer | undefined;
}

/** The steps of a search, for `explain`. */
export interface Trace {
  readonly steps: string[];
  /** The number of records read. */
  touched: number;
  /** Advice that would make the query cheaper. */
  suggestions?: string[];
}

/** The records in the window of a query, and the number of matches before it was applied. */
export interface Found {
  records: readonly StoredRecord[];
  /** Not counted, and 0, in a window behind a cursor. */
  total: number;
  /** The cursor behind the last of the records, if others follow it in a window behind a cursor. */
  next?: string | undefined;
  /** The JSON texts of the records, separated by commas: only on request, and where a store has them that way. */
  text?: string | undefined;
  related?: readonly ReadonlyMap<string, StoredRecord[]>[];
  /** Only on request. */
  stamp?: string;
  /** The plain filters that were ignored because no record has such a field, if there were any. */
  ignored?: readonly string[] | undefined;
}

export type GroupQuery = Query & { readonly grouping: Grouping };

/** One row per group, before `_having`, sort and window. */
export interface Grouped {
  rows: readonly JsonObject[];
  /** Only on request. */
  stamp?: string;
  /** As in `Found`. */
  ignored?: readonly string[] | undefined;
}

export interface Statistics {
  count: number;
  fields: Record<string, { min: number; max: number; mean: number }>;
}

/** One top-level key of the database. `aside` is saved and shown in the whole database, but not a route (`$schema`). */
export type Exported =
  | { kind: "collection"; name: string; records: readonly StoredRecord[]; version: number }
  | { kind: "singleton"; name: string; record: StoredRecord; version: number }
  | { kind: "aside"; name: string; value: Json; version: number };

/** Makes other data of all data. May be called several times. */
export type Remake = (members: readonly Exported[]) => Work<JsonObject>;

/** The value of a member in the database. */
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

export interface ApplyOptions extends Origin {
  /** Only plans: the result says what the write would do, and nothing is changed. */
  readonly isDryRun?: boolean;
  /** Kept together with the change: both survive, or neither. */
  readonly receipt?: OpenReceipt | undefined;
}

/** A receipt whose response depends on the change: new ids are known only then. */
export interface OpenReceipt extends ReceiptHead {
  /** Called with the planned change, before it is committed. May be called several times. */
  readonly respond: (change: Change) => KeptResponse;
}

export function closeReceipt({ key, request, at, respond }: OpenReceipt, change: Change): Receipt {
  const response = respond(change);
  const length = response.json?.length ?? 0;
  if (length > MAX_LENGTH) {
    throw new StandinError(
      "DATA_TOO_LARGE",
      `The response has ${length} characters; at most ${MAX_LENGTH} can be kept for a repeated Idempotency-Key. ` +
        "Nothing was changed; ask for Prefer: return=minimal, change fewer records, or leave the key out.",
    );
  }
  return { key, request, at, response };
}

export interface FoundReceipt {
  readonly receipt: Receipt | undefined;
  /** Identifies the load of the data: all receipts end with it. */
  readonly load: string;
}

/** A requested write. `expect` checks the record about to be written and throws when the write must not happen. */
export type Write = SingleWrite | TransactionWrite;

export type SingleWrite = {
  /** Lifts the schema of the rules for this write. */
  readonly lenience?: Lenience | undefined;
  /** Whether the sender may read a record, where not everyone may: refusals do not tell of others. */
  readonly mayRead?: MayRead | undefined;
} & PlainWrite;

export type MayRead = (name: string, record: StoredRecord) => boolean;

type PlainWrite =
  | { kind: "create"; collection: string; bodies: readonly JsonObject[] }
  | { kind: "replace" | "patch"; collection: string; id: string; body: JsonObject; expect?: Expectation | undefined }
  | { kind: "transform"; collection: string; id: string; transform: Transform; expect?: Expectation | undefined }
  | { kind: "transform-singleton"; name: string; transform: Transform; expect?: Expectation | undefined }
  | {
      kind: "remove";
      collection: string;
      id: string;
      /** Collections whose records are removed, too, when their `key` refers to the removed one. */
      dependents: readonly Dependents[];
      expect?: Expectation | undefined;
    }
  | { kind: "replace-singleton" | "patch-singleton"; name: string; body: JsonObject; expect?: Expectation | undefined }
  /**
   * Changes a record that the same transaction has read, whether or not it has an id; removes it without `transform`.
   * `isExact`: to a value that it had before, so that nothing is to be completed.
   */
  | { kind: "rewrite"; collection: string; before: StoredRecord; transform?: Transform; isExact?: true }
  /** Puts a removed record back as it was: with its id, in its place. */
  | { kind: "return"; collection: string; record: StoredRecord };

/** Lets records through that break a schema, and notes which rules they break. */
export interface Lenience {
  /** Each rule once, however often the write is planned. */
  readonly broken: Set<string>;
}

export interface Dependents {
  readonly collection: string;
  readonly key: string;
}

/** Reads and writes that are one change: all of it happens or, when `run` throws, nothing. */
export interface TransactionWrite {
  readonly kind: "transaction";
  /** The collections and singletons that it may read and write. */
  readonly members: readonly string[];
  /** The ids of records that it will read, by collection, as far as they are known: a database fetches them at once. */
  readonly ids?: ReadonlyMap<string, readonly string[]>;
  /** The number of records that it writes, if known: a database commits short transactions together. */
  readonly size?: number;
  /** May be called several times, so it must not remember anything from one call to the next. */
  readonly run: (transaction: Transaction) => Work<void>;
}

/** A transaction between the creation and the removal of members. */
export interface Rearrangement {
  /** Those that are there already stay as they are. */
  readonly created: readonly Pick<Member, "name" | "kind">[];
  readonly write: TransactionWrite;
  /** Asked after the transaction; collections that have records stay. */
  readonly removed: () => readonly string[];
}

/** The data as a transaction sees it: with the effects of its own writes. */
export interface Transaction {
  get(collection: string, id: string): Work<StoredRecord | undefined>;
  singleton(name: string): StoredRecord | undefined;
  /** The records that meet all filters and contain the search text, in the order of the collection. */
  matching(collection: string, match: Match): Work<readonly StoredRecord[]>;
  /** Plans a write; returns its edits, or throws when it must not happen. */
  apply(write: SingleWrite): Work<readonly Edit[]>;
  /** Generates an id for a new record of a collection, as a creation without an id would. */
  newId(collection: string, options: NewIdOptions): Work<Id>;
}

export interface NewIdOptions {
  /** A number is larger than this. */
  readonly above: number;
  /** Whether an id must not be used although no record has it. */
  readonly isReserved: (id: Id) => boolean;
}

export interface Match {
  readonly where: readonly Filter[];
  /** Lower-case text that any value must contain; empty for none. */
  readonly search: string;
  /** Leaves out the records that may only be read. */
  readonly isForWriting?: true;
  /** Pays for evaluating it. */
  readonly account?: WorkAccount | undefined;
}

/** Makes the new value of a record from the current one, which it must not change. May run several times. */
export type Transform = (current: Json) => Json;

/** A new value for a current record. Without `before` it is appended, without `value` removed. */
export interface ValueEdit {
  readonly name: string;
  readonly before?: StoredRecord | undefined;
  readonly value?: Json | undefined;
}

export type Expectation = (current: StoredRecord) => void;

/** The effect of a write, in the one form that is saved, undone and announced. */
export interface Change extends VersionedChange {
  readonly edits: readonly Edit[];
  /** No edit changes the position of a later one, and no record has two: replacements, removals from the end, new records. */
  readonly isOrdered?: boolean;
}

/** The events for listeners: a change, a member that came or went, or the replacement of all data (restore, reset, reload). */
export type StoreEvent =
  | {
      readonly kind: "change";
      readonly change: Change;
      /** When it was made, if somebody has noted that. */
      readonly time?: number | undefined;
      /** How many jobs led to it. */
      readonly depth?: number | undefined;
    }
  | { readonly kind: "members"; readonly version: number; readonly edit: MemberEdit }
  | {
      readonly kind: "exchange";
      readonly version: number;
      /** Another program has edited the files. */
      readonly isOutside?: boolean;
    };

export type StoreListener = (event: StoreEvent) => void;

/** One record before and after a change. Without `before` it was created, without `after` removed. */
export interface Edit extends EditedRecords {
  readonly name: string;
  /** A new record is not the last one: it was removed before, and is back in its place. */
  readonly isReturn?: boolean;
}

/** Values that features keep beside the data, where a run of the service is short: a worker ends without a word. */
export interface KeptValues {
  /** Of the database. */
  readonly name: string;
  readonly snapshots: KeptSnapshots;
  /** The version since which `branchAt` knows the data; undefined if nobody needs it. */
  heldFrom: number | undefined;
  read(key: string): unknown;
  /** The values whose keys begin so, by their keys, in the order of those. */
  readAll(prefix: string): ReadonlyMap<string, unknown>;
  /** Stores a value soon, the latest one of a burst. */
  write(key: string, value: () => unknown): void;
  /** Stores values, all or none, and removes those that are undefined. Resolves to false if `isCurrent` refuses. */
  store(values: ReadonlyMap<string, unknown>, guard: KeptGuard): Promise<boolean>;
  /** Reads all values again, which another worker may have stored. */
  refresh(): Promise<void>;
  /** A `State` with the main data of a former version. */
  branchAt(version: number): object;
}

/** Lines that a feature keeps beside the data. */
export interface KeptLog {
  /** Lines behind a damaged one are not trusted; `warn` hears of it. */
  read(warn: (text: string) => void): readonly object[];
  /** Writes it anew with these lines alone. Nothing can be appended before the first time. */
  rewrite(lines: () => readonly object[]): Promise<void>;
  /** Whether most of it is of no use any more. */
  readonly isTooLong: boolean;
  /** Settles when the line would survive what acknowledged writes survive. */
  append(line: object): Promise<void>;
  close(): Promise<void>;
}

/** Whole copies of data, which are read when they are needed. */
export interface KeptSnapshots {
  ids(): Promise<string[]>;
  read(id: string): Promise<JsonObject | undefined>;
  write(id: string, members: readonly Exported[]): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface PastEvent {
  readonly time: number;
  readonly event: StoreEvent;
}

/** A change of an earlier run; without edits, all data was replaced. */
export interface LeftChange {
  readonly version: number;
  readonly time: number;
  /** How many jobs led to it. */
  readonly depth: number;
  readonly edits?: readonly VersionEdit[] | undefined;
}
