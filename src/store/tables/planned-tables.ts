import { randomUUID } from "node:crypto";
import { StandinError } from "../../base/errors.ts";
import { type JsonObject, parseJson } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import { outlineOf } from "../../query/filter.ts";
import { equality } from "../../query/operators/eq.ts";
import type { Path } from "../../query/path.ts";
import type { Completion, Completions } from "../completion.ts";
import { type Id, idOf, lookupKey, type NewId, newIdFromBody, randomId } from "../ids.ts";
import { keyTexts, refersTo } from "../key-texts.ts";
import type { Statements } from "../postgres/connections/connection.ts";
import { constant, join, only, run, sql } from "../postgres/sql/fragment.ts";
import { Unfetched } from "../postgres/write/planned-database.ts";
import type { Match, SingleWrite } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { type BaseCollection, isMatch, type TransactionBase } from "../transaction.ts";
import { columnTest, rowTest } from "./column-conditions.ts";
import { bodySql, nameSql } from "./column-sql.ts";
import { readRows } from "./search-table.ts";
import { type Column, isNumber, type Table } from "./table.ts";
import { type BodyRow, FIRST_NEW_SLOT, recordFrom } from "./table-record.ts";

/** Defaults that differ from row to row: the database fills them in when it stores the record. */
const CHANGING = /nextval|random|uuid|clock_timestamp/i;

/** The rows of a table that a transaction has read so far, each locked until it ends. */
class FetchedTable implements BaseCollection {
  readonly name: string;
  readonly idKey: string;
  readonly completion: Completion;
  readonly nextSlot = FIRST_NEW_SLOT;
  readonly #table: Table;
  readonly #fetched = new Map<Id, StoredRecord | undefined>();
  readonly #results = new Map<string, readonly StoredRecord[]>();
  readonly #newIds: Id[] = [];
  #presets: JsonObject = {};

  constructor(table: Table, completion: Completion | undefined) {
    this.#table = table;
    this.name = table.name;
    this.idKey = table.idKey;
    this.completion = {
      ids: undefined,
      created: (body) => this.#withPresets(completion?.created(body) ?? body),
      changed: (before, value) => completion?.changed(before, value) ?? value,
    };
  }

  get(id: Id): StoredRecord | undefined {
    const key = lookupKey(id);
    if (this.#fetched.has(key)) return this.#fetched.get(key);
    throw new Unfetched((database) => this.fetch(database, [String(id)]));
  }

  existing(ids: readonly string[]): ReadonlySet<string> {
    const unknown = ids.filter((id) => !this.#fetched.has(lookupKey(id)));
    if (unknown.length > 0) throw new Unfetched((database) => this.fetch(database, unknown));
    return new Set(ids.filter((id) => this.get(id)));
  }

  referring(key: string, id: string): readonly StoredRecord[] {
    return this.holding(key, [id]).filter(({ value }) => refersTo(value, { field: key, isList: false }, id));
  }

  holding(field: string, texts: readonly string[]): readonly StoredRecord[] {
    const condition = equality(pathOf(field), texts);
    const found = this.#ask(JSON.stringify(["holding", field, texts]), (database) =>
      readRows(database, this.#table, { where: columnTest(this.#table, condition).sql }),
    );
    return found.filter(({ value }) => keyTexts(value, { field, isList: true }).some((text) => texts.includes(text)));
  }

  matching(match: Match): readonly StoredRecord[] {
    const { where, search, account } = match;
    return this.#ask(JSON.stringify(["matching", where.map(outlineOf), search]), async (database) => {
      const condition = rowTest(this.#table, where).sql;
      const rows = await readRows(database, this.#table, { where: condition, payer: account && { account } });
      const kept = rows.filter((record) => isMatch(record, match));
      const ids = kept.flatMap(({ value }) => idOf(value, this.idKey) ?? []).map(String);
      if (match.isForWriting) await this.fetch(database, ids);
      return kept;
    });
  }

  newIds(): NewId {
    return () => {
      const id = this.#newIds.shift();
      if (id !== undefined) return id;
      throw new Unfetched((database) => this.addIds(database, 1));
    };
  }

  /** Reads rows by their ids, and locks them. */
  async fetch(database: Statements, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { sql: where } = columnTest(this.#table, equality(pathOf(this.idKey), ids));
    const rows = await run<BodyRow>(
      database,
      sql`SELECT ${bodySql(this.#table)} AS body FROM ${this.#table.sqlName} AS t WHERE ${where} FOR UPDATE`,
      false,
    );
    for (const id of ids) this.#fetched.set(lookupKey(id), undefined);
    for (const row of rows) {
      const record = recordFrom(this.#table, row);
      const id = idOf(record.value, this.idKey);
      if (id !== undefined) this.#fetched.set(lookupKey(id), record);
    }
  }

  /** Draws ids for new records: from the default of the column, or else as standin makes them for its own data. */
  async addIds(database: Statements, count: number): Promise<void> {
    if (count === 0) return;
    const column = this.#table.columns.get(this.idKey);
    if (!column) return;
    for (const id of await drawIds(database, this.#table, { column, count })) {
      // The database has never given it away.
      this.#fetched.set(lookupKey(id), undefined);
      this.#newIds.push(id);
    }
  }

  /** Asks for the defaults of the columns, which a new record gets where it has no value. */
  async readPresets(database: Statements): Promise<void> {
    const columns = [...this.#table.columns.values()].filter(({ name }) => name !== this.idKey);
    const constants = columns.filter(({ preset }) => preset !== undefined && !CHANGING.test(preset));
    const values = constants.map(({ name, preset = "" }) => sql`(${constant(preset)}) AS ${nameSql(name)}`);
    const statement = sql`SELECT row_to_json(r)::text AS body FROM (SELECT ${join(values, ", ")}) AS r`;
    const row = values.length === 0 ? { body: "{}" } : only(await run<BodyRow>(database, statement, false));
    const nulls = columns.filter(({ preset, isGenerated }) => preset === undefined && !isGenerated);
    this.#presets = {
      ...Object.fromEntries(nulls.map(({ name }) => [name, null])),
      ...parseJson<JsonObject>(row.body),
    };
  }

  #withPresets(body: JsonObject): JsonObject {
    return { ...this.#presets, ...body };
  }

  #ask(question: string, read: (database: Statements) => Promise<readonly StoredRecord[]>): readonly StoredRecord[] {
    const known = this.#results.get(question);
    if (known) return known;
    throw new Unfetched(async (database) => {
      this.#results.set(question, await read(database));
    });
  }
}

function pathOf(field: string): Path {
  return { text: field, segments: [field] };
}

interface Drawing {
  readonly column: Column;
  readonly count: number;
}

async function drawIds(database: Statements, table: Table, { column, count }: Drawing): Promise<Id[]> {
  const indexes = Array.from({ length: count }, (_, at) => at);
  if (column.preset !== undefined) {
    const statement = sql`SELECT (${constant(column.preset)})::text AS id FROM generate_series(1, ${count}::int)`;
    return (await run<{ id: string }>(database, statement, false)).map(({ id }) => asId(column, id));
  }
  if (isNumber(column)) {
    const statement = sql`SELECT coalesce(max(${nameSql(column.name)}), 0)::text AS largest FROM ${table.sqlName}`;
    const { largest } = only(await run<{ largest: string }>(database, statement, false));
    return indexes.map((at) => Math.floor(Number(largest)) + 1 + at);
  }
  if (column.family === "uuid") return indexes.map(() => randomUUID());
  if (column.family === "text") return indexes.map(() => randomId());
  throw new StandinError(
    "RECORD_INVALID",
    `A record of ${table.name} needs "${column.name}": the column has no default. Nothing was changed.`,
  );
}

function asId(column: Column, text: string): Id {
  return isNumber(column) && String(Number(text)) === text ? Number(text) : text;
}

/** The tables as a transaction sees them. */
export class PlannedTables implements TransactionBase {
  readonly version: number;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #completions: Completions | undefined;
  readonly #collections = new Map<string, FetchedTable>();

  constructor(version: number, tables: ReadonlyMap<string, Table>, completions: Completions | undefined) {
    this.version = version;
    this.#tables = tables;
    this.#completions = completions;
  }

  collection(name: string): FetchedTable | undefined {
    const known = this.#collections.get(name);
    const table = this.#tables.get(name);
    if (known || !table) return known;
    const collection = new FetchedTable(table, this.#completions?.get(name));
    this.#collections.set(name, collection);
    return collection;
  }

  singleton(): undefined {}

  // biome-ignore lint/correctness/useYield: a base that has all data at hand would pause.
  *matching(name: string, match: Match): Work<readonly StoredRecord[]> {
    return this.collection(name)?.matching(match) ?? [];
  }

  /** Reads what a write will need, in as few statements as possible. */
  async prepare(database: Statements, write: SingleWrite): Promise<void> {
    if (!("collection" in write)) return;
    const table = this.#tables.get(write.collection);
    const collection = this.collection(write.collection);
    if (!table || !collection) return;
    if (table.readOnlyBecause !== undefined) throw readOnly(table);
    if ("id" in write) await collection.fetch(database, [write.id]);
    if (write.kind !== "create") return;
    const given = write.bodies.map((body) => newIdFromBody(body, table.idKey));
    await collection.fetch(
      database,
      given.flatMap((id) => (id === undefined ? [] : String(id))),
    );
    await collection.addIds(database, given.filter((id) => id === undefined).length);
    await collection.readPresets(database);
  }
}

function readOnly({ name, readOnlyBecause }: Table): StandinError {
  return new StandinError("READ_ONLY", `${name} can only be read: ${readOnlyBecause}.`);
}
