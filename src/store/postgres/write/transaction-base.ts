import type { Work } from "../../../base/slices.ts";
import { outlineOf } from "../../../query/filter.ts";
import { EVERYTHING } from "../../../query/parse-query.ts";
import type { Completion } from "../../completion.ts";
import type { Id, NewId } from "../../ids.ts";
import { refersTo } from "../../key-texts.ts";
import type { Match } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";
import type { BaseCollection, TransactionBase } from "../../transaction.ts";
import type { Statements } from "../connections/connection.ts";
import type { Payment } from "../connections/watched-read.ts";
import { whereSql } from "../read/where-sql.ts";
import { listHasSql, textIsSql } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { recordFromRow } from "../tables/row.ts";
import type { FetchedCollection, PlannedDatabase } from "./planned-database.ts";

/** Planning needs records that were not fetched: fetch them, and plan again. */
export class UnfetchedRecords extends Error {
  readonly fetch: (database: Statements) => Promise<void>;
  readonly payment: Payment | undefined;

  constructor(fetch: (database: Statements) => Promise<void>, payment: Payment | undefined) {
    super("records are not fetched");
    this.fetch = fetch;
    this.payment = payment;
  }
}

/** The locked part of the database, for a transaction to begin with. What it lacks is fetched while planning. */
export class FetchedBase implements TransactionBase {
  readonly version: number;
  readonly #planned: PlannedDatabase;
  readonly #collections = new Map<string, CollectionInDatabase>();

  constructor(planned: PlannedDatabase, members: readonly KnownMember[]) {
    this.version = planned.version;
    this.#planned = planned;
    for (const member of members) {
      const fetched = planned.collection(member.name);
      if (fetched) this.#collections.set(member.name, new CollectionInDatabase(member, fetched));
    }
  }

  collection(collection: string): BaseCollection | undefined {
    return this.#collections.get(collection);
  }

  singleton(singleton: string): StoredRecord | undefined {
    return this.#planned.singleton(singleton);
  }

  matching(collection: string, match: Match): Work<readonly StoredRecord[]> {
    return this.#collections.get(collection)!.matching(match);
  }
}

class CollectionInDatabase implements BaseCollection {
  readonly name: string;
  readonly idKey: string;
  readonly nextSlot: number;
  readonly completion: Completion | undefined;
  readonly #member: KnownMember;
  readonly #fetched: FetchedCollection;
  /** The results of the questions asked so far. */
  readonly #results = new Map<string, readonly StoredRecord[]>();

  constructor(member: KnownMember, fetched: FetchedCollection) {
    this.#member = member;
    this.#fetched = fetched;
    this.name = fetched.name;
    this.idKey = fetched.idKey;
    this.nextSlot = fetched.nextSlot;
    this.completion = fetched.completion;
  }

  get(id: Id): StoredRecord | undefined {
    return this.#fetched.get(id);
  }

  newIds(): NewId {
    return this.#fetched.newIds();
  }

  referring(key: string, id: string): readonly StoredRecord[] {
    const found = this.#ask(JSON.stringify(["referring", key, id]), async () => textIsSql(this.#member, key, [id]));
    return found.filter(({ value }) => refersTo(value, { field: key, isList: false }, id));
  }

  existing(ids: readonly string[]): ReadonlySet<string> {
    return this.#fetched.existing(ids);
  }

  holding(field: string, texts: readonly string[]): readonly StoredRecord[] {
    const question = JSON.stringify(["holding", field, texts]);
    return this.#ask(question, async () => listHasSql(field, texts));
  }

  *matching({ where, search, account }: Match): Work<readonly StoredRecord[]> {
    const member = this.#member;
    const question = JSON.stringify(["matching", where.map(outlineOf), search]);
    const conditionFor = async (database: Statements): Promise<Fragment> => {
      const query = { ...EVERYTHING, where, search, account };
      const [condition = sql`true`] = await whereSql(database, { member, query, where });
      return condition;
    };
    const isCharged = where.length > 0 || search !== "";
    return this.#ask(question, conditionFor, account && { account, isCharged });
  }

  /** The known result of a question; throws where it must be fetched first. */
  #ask(
    question: string,
    conditionFor: (database: Statements) => Promise<Fragment>,
    payment?: Payment,
  ): readonly StoredRecord[] {
    const known = this.#results.get(question);
    if (known) return known;
    throw new UnfetchedRecords(async (database) => {
      const condition = await conditionFor(database);
      const rows = await run(
        database,
        sql`SELECT slot, version, body FROM ${name(this.#member.table)} WHERE ${condition} ORDER BY slot`,
        false,
      );
      this.#results.set(question, rows.map(recordFromRow));
    }, payment);
  }
}
