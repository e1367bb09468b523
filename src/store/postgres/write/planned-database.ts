import type { Work } from "../../../base/slices.ts";
import { outlineOf } from "../../../query/filter.ts";
import { EVERYTHING } from "../../../query/parse-query.ts";
import type { Completion } from "../../completion.ts";
import { type Id, idOf, lookupKey, type NewId, randomId } from "../../ids.ts";
import { refersTo } from "../../key-texts.ts";
import type { Change, Edit, Match } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { editedRecord } from "../../stored-record.ts";
import type { BaseCollection, TransactionBase } from "../../transaction.ts";
import type { Statements } from "../connections/connection.ts";
import type { Payment } from "../connections/watched-read.ts";
import { whereSql } from "../read/where-sql.ts";
import { listHasSql, textIsSql } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { type RecordRow, recordFromRow } from "../tables/row.ts";
import { fetchRecords, type IdFacts } from "./fetch-records.ts";

/** The most ids to look for at a time. */
const MAX_AHEAD = 1000;
/** The slots to look at together: records that return were often neighbours. */
const SLOTS = 1024;

/** A write searches for records, but the database does not have those of the writes before it yet: commit them first. */
export class Postponed extends Error {}

/** Planning needs records that were not fetched: fetch them, and plan again. */
export class Unfetched extends Error {
  readonly fetch: (database: Statements) => Promise<void>;
  readonly payment: Payment | undefined;

  constructor(fetch: (database: Statements) => Promise<void>, payment?: Payment) {
    super("records are not fetched");
    this.fetch = fetch;
    this.payment = payment;
  }
}

export interface FetchedCollectionOptions {
  readonly member: KnownMember;
  readonly nextSlot: number;
  readonly facts: IdFacts | undefined;
  readonly completion: Completion | undefined;
}

/** The part of a locked collection that a batch of writes needs: the fetched records, as changed by the writes so far. */
export class FetchedCollection implements BaseCollection {
  readonly name: string;
  readonly idKey: string;
  readonly completion: Completion | undefined;
  nextSlot: number;
  /** Whether a write has searched for records, other than by their ids. */
  isSearched = false;
  #isWritten = false;
  readonly #member: KnownMember;
  readonly #fetched = new Map<Id, StoredRecord | undefined>();
  /** The results of the questions asked so far. */
  readonly #results = new Map<string, readonly StoredRecord[]>();
  /** The slots that records have, by the first one of a range. */
  readonly #slots = new Map<number, ReadonlySet<number>>();
  readonly #facts: IdFacts | undefined;
  /** The texts proposed as ids, so that planning again proposes the same. */
  readonly #texts = new Map<string, string>();
  /** How many proposed ids to fetch at once: more each time, as there may be many to come. */
  #ahead = 1;
  #largest: number;
  #hasNumbers: boolean;
  #hasTexts: boolean;

  constructor({ member, nextSlot, facts, completion }: FetchedCollectionOptions) {
    this.name = member.name;
    this.idKey = member.idKey;
    this.#member = member;
    this.nextSlot = nextSlot;
    this.#facts = facts;
    this.completion = completion;
    this.#largest = facts?.largest ?? Number.NEGATIVE_INFINITY;
    this.#hasNumbers = facts?.hasNumbers ?? false;
    this.#hasTexts = facts?.hasTexts ?? false;
  }

  /** Adds the record that the database has for an id, or undefined. */
  addFetched(id: string, record: StoredRecord | undefined): void {
    this.#fetched.set(lookupKey(id), record);
  }

  get(id: Id): StoredRecord | undefined {
    const key = lookupKey(id);
    if (this.#fetched.has(key)) return this.#fetched.get(key);
    if (this.#isNew(key)) return undefined;
    throw this.#unfetched([String(id)]);
  }

  /** Those of the ids that records have; those not fetched yet are fetched together. */
  existing(ids: readonly string[]): ReadonlySet<string> {
    const unknown = ids.filter((id) => !this.#fetched.has(lookupKey(id)) && !this.#isNew(lookupKey(id)));
    if (unknown.length > 0) throw this.#unfetched(unknown);
    return new Set(ids.filter((id) => this.get(id)));
  }

  referring(key: string, id: string): readonly StoredRecord[] {
    const found = this.#ask(JSON.stringify(["referring", key, id]), async () => textIsSql(this.#member, key, [id]));
    return found.filter(({ value }) => refersTo(value, { field: key, isList: false }, id));
  }

  holding(field: string, texts: readonly string[]): readonly StoredRecord[] {
    return this.#ask(JSON.stringify(["holding", field, texts]), async () => listHasSql(field, texts));
  }

  *matching({ where, search, account }: Match): Work<readonly StoredRecord[]> {
    const conditionFor = async (database: Statements): Promise<Fragment> => {
      const query = { ...EVERYTHING, where, search, payer: account && { account } };
      const [condition = sql`true`] = await whereSql(database, { member: this.#member, query, where });
      return condition;
    };
    const payment = account && { account, isCharged: where.length > 0 || search !== "" };
    return this.#ask(JSON.stringify(["matching", where.map(outlineOf), search]), conditionFor, payment);
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
      if (ids === undefined && !this.#hasNumbers && this.#hasTexts) return newText(isTaken);
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
    throw this.#unfetched(ids);
  }

  #unfetched(ids: readonly string[]): Unfetched {
    return new Unfetched(async (database) => {
      const records = await fetchRecords(database, { member: this.#member, ids });
      for (const id of ids) this.addFetched(id, records.get(id));
    });
  }

  /** The known result of a question; throws where it must be fetched first. */
  #ask(
    question: string,
    conditionFor: (database: Statements) => Promise<Fragment>,
    payment?: Payment,
  ): readonly StoredRecord[] {
    this.#expectUnwritten();
    this.isSearched = true;
    const known = this.#results.get(question);
    if (known) return known;
    throw new Unfetched(async (database) => {
      const rows = sql`SELECT slot, version, body FROM ${name(this.#member.table)}
        WHERE ${await conditionFor(database)} ORDER BY slot`;
      this.#results.set(question, (await run<RecordRow>(database, rows, false)).map(recordFromRow));
    }, payment);
  }

  /** The slot for a record that had this one before it was removed: the same, unless another record has it. */
  placeFor(slot: number): number {
    if (slot >= this.nextSlot || this.completion?.isNewOnReturn) return this.nextSlot;
    this.#expectUnwritten();
    const first = Math.floor(slot / SLOTS) * SLOTS;
    const taken = this.#slots.get(first);
    if (taken) return taken.has(slot) ? this.nextSlot : slot;
    throw new Unfetched(async (database) => {
      const rows = await run<{ slot: string }>(
        database,
        sql`SELECT slot FROM ${name(this.#member.table)} WHERE slot >= ${first} AND slot < ${first + SLOTS}`,
      );
      this.#slots.set(first, new Set(rows.map((row) => Number(row.slot))));
    });
  }

  /** The database is asked about its own records only. */
  #expectUnwritten(): void {
    if (this.#isWritten) throw new Postponed();
  }

  /** Whether an id is above all that were there, and none of those is a text. */
  #isNew(key: Id): boolean {
    return Number.isInteger(key) && Number(key) > this.#largest && this.#facts?.hasTexts === false;
  }

  put(edit: Edit): void {
    const { slot, value } = editedRecord(edit);
    this.#isWritten = true;
    if (!edit.before) this.nextSlot = Math.max(this.nextSlot, slot + 1);
    const id = idOf(value, this.idKey);
    if (id === undefined) return;
    this.#fetched.set(lookupKey(id), edit.after);
    if (edit.before) return;
    if (typeof id !== "number") {
      this.#hasTexts = true;
      return;
    }
    this.#hasNumbers = true;
    if (Number.isInteger(id)) this.#largest = Math.max(this.#largest, id);
  }
}

/** The database as a batch of writes sees it: each write sees the effects of those before it. */
export class PlannedDatabase implements TransactionBase {
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

  get isSearched(): boolean {
    for (const collection of this.#collections.values()) if (collection.isSearched) return true;
    return false;
  }

  singleton(name: string): StoredRecord | undefined {
    return this.#singletons.get(name);
  }

  *matching(name: string, match: Match): Work<readonly StoredRecord[]> {
    const collection = this.#collections.get(name);
    return collection ? yield* collection.matching(match) : [];
  }

  commit({ version, edits }: Change): void {
    this.version = version;
    for (const edit of edits) {
      const collection = this.#collections.get(edit.name);
      if (collection) collection.put(edit);
      else if (edit.after) this.#singletons.set(edit.name, edit.after);
    }
  }
}
