import { StandinError } from "../base/errors.ts";
import { andThen, type Eventually } from "../base/eventually.ts";
import { eventually, inSlices, type Work } from "../base/slices.ts";
import type { WorkAccount } from "../base/work-account.ts";
import { hasPath, parsePath } from "../query/path.ts";
import type { Query } from "../query/query.ts";
import { type Id, idOf } from "./ids.ts";
import type {
  Change,
  Edit,
  Found,
  FoundRecord,
  GetOptions,
  Match,
  Member,
  Reads,
  RecordAccess,
  SingleWrite,
  Transaction,
  Write,
} from "./store.ts";
import type { StoredRecord } from "./stored-record.ts";
import { editedRecord } from "./stored-record.ts";

/** A record that a request has read or written. */
export interface TouchedRecord {
  readonly name: string;
  readonly record: StoredRecord;
}

/**
 * The store as requests inside of a transaction see it: with the writes of those before them. Everything that routes for
 * one record, and those that write, need; lists and relations are refused.
 */
export class TransactionStore implements RecordAccess {
  readonly defaultIdKey: string;
  readonly epoch: string;
  /** The latest record that was read or written. */
  touched: TouchedRecord | undefined;
  readonly #base: Reads;
  readonly #data: Transaction;
  /** The records written so far by their slots; undefined for those removed. */
  readonly #written = new Map<string, Map<number, StoredRecord | undefined>>();
  /** Questions about the data before the transaction: nothing else can change that meanwhile. */
  readonly #known = new Map<string, Eventually<unknown>>();

  constructor(base: Reads, data: Transaction) {
    this.#base = base;
    this.#data = data;
    this.defaultIdKey = base.defaultIdKey;
    this.epoch = base.epoch;
  }

  /** Whether a record has not been written again since. */
  isCurrent({ name, record }: TouchedRecord): boolean {
    const written = this.#written.get(name);
    return !written?.has(record.slot) || written.get(record.slot) === record;
  }

  members(): Member[] {
    return this.#base.members();
  }

  kindOf(name: string): Member["kind"] | undefined {
    return this.#base.kindOf(name);
  }

  idKeyOf(collection: string): string {
    return this.#base.idKeyOf(collection);
  }

  /** The members of a transaction are locked. */
  refresh(): void {}

  stamp(names?: readonly string[]): Eventually<string> {
    return this.#base.stamp(names);
  }

  get(collection: string, id: string): Eventually<StoredRecord | undefined> {
    return andThen(eventually(this.#data.get(collection, id)), (record) => this.#touch(collection, record));
  }

  async getWith(collection: string, id: string, { stampOf }: GetOptions): Promise<FoundRecord | undefined> {
    const stamp = await this.stamp(stampOf);
    const record = await this.get(collection, id);
    return record && { record, stamp };
  }

  heldAtHand(): undefined {}

  async keyFor(collection: string, id: string): Promise<Id> {
    const record = await this.get(collection, id);
    return (record && idOf(record.value, this.idKeyOf(collection))) ?? this.#base.keyFor(collection, id);
  }

  singleton(name: string): StoredRecord | undefined {
    return this.#touch(name, this.#data.singleton(name));
  }

  /** The data before the transaction: enough to name the fields that records have. */
  find(collection: string, query: Query): Eventually<Found> {
    return this.#base.find(collection, query);
  }

  async heldPaths(collection: string, paths: readonly string[], account?: WorkAccount): Promise<ReadonlySet<string>> {
    const question = ["paths", collection, ...paths];
    const before = await this.#ask(question, () => this.#base.heldPaths(collection, paths, account));
    const isNew = (path: string): boolean => !before.has(path) && this.#hasWritten(collection, path);
    return new Set(paths.filter((path) => before.has(path) || isNew(path)));
  }

  async heldField(collection: string, fields: readonly string[], isCertain?: boolean): Promise<string | undefined> {
    const question = ["field", collection, String(isCertain), ...fields];
    const before = await this.#ask(question, () => this.#base.heldField(collection, fields, isCertain));
    return fields.find((field) => field === before || this.#hasWritten(collection, field));
  }

  indexes(collection: string): string[] {
    return this.#base.indexes(collection);
  }

  /** Makes a write a part of the transaction. */
  async apply(write: Write): Promise<Change> {
    if (write.kind === "transaction") {
      await inSlices(write.run(this.#noting(this.#data)));
      return { version: 0, edits: [] };
    }
    const edits = await eventually(this.#data.apply(write));
    for (const edit of edits) this.#note(edit);
    return { version: 0, edits };
  }

  related(): never {
    return refuse("Records with others embedded");
  }

  group(): never {
    return refuse("Groups");
  }

  #ask<T>(question: readonly string[], answer: () => Eventually<T>): Eventually<T> {
    const key = JSON.stringify(question);
    if (!this.#known.has(key)) this.#known.set(key, answer());
    return this.#known.get(key) as Eventually<T>;
  }

  #hasWritten(collection: string, path: string): boolean {
    const parsed = parsePath(path);
    for (const record of this.#written.get(collection)?.values() ?? []) {
      if (record && hasPath(record.value, parsed)) return true;
    }
    return false;
  }

  #touch<T extends StoredRecord | undefined>(name: string, record: T): T {
    if (record) this.touched = { name, record };
    return record;
  }

  #note(edit: Edit): void {
    const { name, after } = edit;
    const written = this.#written.get(name) ?? new Map<number, StoredRecord | undefined>();
    this.#written.set(name, written.set(editedRecord(edit).slot, after));
    this.#touch(name, after);
  }

  /** The transaction for a write that runs in it by itself. */
  #noting(data: Transaction): Transaction {
    const touch = this.#touch.bind(this);
    const note = this.#note.bind(this);
    return {
      *get(collection: string, id: string): Work<StoredRecord | undefined> {
        return touch(collection, yield* data.get(collection, id));
      },
      singleton: (name) => touch(name, data.singleton(name)),
      *matching(collection: string, match: Match): Work<readonly StoredRecord[]> {
        const found = yield* data.matching(collection, match);
        touch(collection, found[0]);
        return found;
      },
      *apply(write: SingleWrite): Work<readonly Edit[]> {
        const edits = yield* data.apply(write);
        for (const edit of edits) note(edit);
        return edits;
      },
      newId: (collection, options) => data.newId(collection, options),
    };
  }
}

function refuse(what: string): never {
  throw new StandinError("BATCH_INVALID", `${what} cannot be requested in a batch. Send that request by itself.`);
}
