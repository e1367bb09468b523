import { StandinError } from "../../base/errors.ts";
import { inSlices, promptly } from "../../base/slices.ts";
import { metered, type WorkAccount } from "../../base/work-account.ts";
import { ignoredPaths, meetsAll } from "../../query/filter.ts";
import { groupRows } from "../../query/group-rows.ts";
import { equality } from "../../query/operators/eq.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { parsePath } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import type { Completions } from "../completion.ts";
import type { DeclaredRelations } from "../declared-relations.ts";
import { type Id, idOf, lookupKey, randomId } from "../ids.ts";
import { addToGroups, keyTexts } from "../key-texts.ts";
import { summariseRecords } from "../memory/summarise-records.ts";
import type { Sql, Statements } from "../postgres/connections/connection.ts";
import type { PostgresDatabase } from "../postgres/connections/postgres-database.ts";
import { run, sql } from "../postgres/sql/fragment.ts";
import { type Receipt, Receipts } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import type {
  ApplyOptions,
  Change,
  Exported,
  FindOptions,
  Found,
  FoundReceipt,
  FoundRecord,
  GetOptions,
  Grouped,
  GroupQuery,
  Key,
  Member,
  Statistics,
  Store,
  StoreListener,
  Write,
} from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { applyToTables } from "./apply-to-tables.ts";
import { refusalOfRead } from "./client-errors.ts";
import { columnAt, columnTest } from "./column-conditions.ts";
import { readRows, searchTable } from "./search-table.ts";
import { isNumber, type Table } from "./table.ts";
import { heldIn, usedFilters } from "./used-filters.ts";

export interface TablesStoreOptions {
  readonly database: PostgresDatabase;
  readonly place: string;
  readonly defaultIdKey: string;
  readonly completions: Completions | undefined;
  readonly rules: RecordRules | undefined;
  readonly read: () => Promise<Table[]>;
}

/**
 * The tables of somebody else's database as collections. Everything is read and written where it is: nothing of standin's
 * own is stored there, so whatever would need that is refused.
 */
export class TablesStore implements Store {
  readonly engine = "tables";
  readonly surveyLimit = 10_000;
  readonly epoch = randomId();
  readonly place: string;
  readonly defaultIdKey: string;
  readonly #given: TablesStoreOptions;
  readonly #receipts = new Receipts();
  readonly #listeners = new Set<StoreListener>();
  #tables: ReadonlyMap<string, Table> = new Map();
  #version = 0;

  constructor(given: TablesStoreOptions) {
    this.#given = given;
    this.place = given.place;
    this.defaultIdKey = given.defaultIdKey;
  }

  /** The foreign keys of the tables. */
  get declared(): DeclaredRelations {
    const relations = [...this.#tables.values()].map(({ name, references }) => [
      name,
      Object.fromEntries([...references].map(([field, to]) => [field, { to, isList: false }])),
    ]);
    return Object.fromEntries(relations);
  }

  get notes(): readonly string[] {
    const readOnly = [...this.#tables.values()].filter(({ readOnlyBecause }) => readOnlyBecause !== undefined);
    return [
      "serving existing tables: no history, sandboxes, snapshots or reset, and events only of changes made here",
      ...readOnly.map(({ name, readOnlyBecause }) => `${name} can only be read: ${readOnlyBecause}`),
    ];
  }

  async refresh(): Promise<void> {
    this.#tables = new Map((await this.#given.read()).map((table) => [table.name, table]));
  }

  members(): Member[] {
    return [...this.#tables.values()].map(({ name, count }) => ({ name, kind: "collection", count }));
  }

  kindOf(name: string): Member["kind"] | undefined {
    return this.#tables.has(name) ? "collection" : undefined;
  }

  idKeyOf(name: string): string {
    return this.#tables.get(name)?.idKey ?? this.defaultIdKey;
  }

  stamp(): Promise<string> {
    return this.#given.database.query((driver) => this.#stampOf(driver));
  }

  /** Differs as soon as any transaction in the database has written something, whoever it belongs to. */
  async #stampOf(database: Statements): Promise<string> {
    const [row] = await run<{ moment: string }>(database, sql`SELECT pg_current_snapshot()::text AS moment`);
    return `${this.epoch}.${row?.moment.replace(/\D+/g, "-")}`;
  }

  async get(name: string, id: string): Promise<StoredRecord | undefined> {
    return (await this.#byKey(name, { field: this.idKeyOf(name), isList: false }, [id])).find(
      ({ value }) => String(idOf(value, this.idKeyOf(name))) === id,
    );
  }

  async getWith(name: string, id: string, { stampOf: _ }: GetOptions): Promise<FoundRecord | undefined> {
    const stamp = await this.stamp();
    const record = await this.get(name, id);
    return record && { record, stamp };
  }

  async keyFor(name: string, id: string): Promise<Id> {
    const column = this.#tables.get(name)?.columns.get(this.idKeyOf(name));
    return column && isNumber(column) ? lookupKey(id) : id;
  }

  singleton(): undefined {}

  find(name: string, query: Query, options: FindOptions = {}): Promise<Found> {
    const table = this.#tables.get(name);
    if (!table) return Promise.resolve({ records: [], total: 0, stamp: `${this.epoch}.0` });
    return this.#read(table, async (database) => {
      // Before the records: a stamp is never newer than they are.
      const stamp = options.stampOf && (await this.#stampOf(database));
      const where = await usedFilters(database, table, query);
      const data = `${this.epoch}/${name}`;
      const found = await searchTable(database, { table, query, where, options, data });
      const ignored = ignoredPaths(query.where, where);
      return { ...found, ...(stamp !== undefined && { stamp }), ...(ignored && { ignored }) };
    });
  }

  group(name: string, query: GroupQuery, options: FindOptions = {}): Promise<Grouped> {
    const table = this.#tables.get(name);
    if (!table) return Promise.resolve({ rows: [], stamp: `${this.epoch}.0` });
    return this.#read(table, async (database) => {
      const stamp = options.stampOf && (await this.#stampOf(database));
      const where = await usedFilters(database, table, query);
      const all: Query = { ...query, sort: [], window: { kind: "all" }, grouping: undefined };
      const { records } = await searchTable(database, { table, query: all, where, options, data: "" });
      const account = query.payer?.account;
      const rows = await inSlices(metered(groupRows(records, query.grouping, account), account));
      return { rows, ...(stamp !== undefined && { stamp }), ignored: ignoredPaths(query.where, where) };
    });
  }

  heldPaths(name: string, paths: readonly string[], _account?: WorkAccount): Promise<ReadonlySet<string>> {
    const table = this.#tables.get(name);
    if (!table) return Promise.resolve(new Set());
    return this.#read(table, (database) => heldIn(database, table, paths.map(parsePath)));
  }

  heldAtHand(name: string, path: string): boolean | undefined {
    const table = this.#tables.get(name);
    if (!table) return false;
    const parsed = parsePath(path);
    if (columnAt(table, parsed)) return true;
    return table.columns.has(parsed.segments[0] ?? "") ? undefined : false;
  }

  async related(name: string, key: Key, values: ReadonlySet<string>): Promise<Map<string, StoredRecord[]>> {
    const groups = new Map<string, StoredRecord[]>();
    if (values.size === 0) return groups;
    for (const record of await this.#byKey(name, key, [...values])) {
      addToGroups(groups, keyTexts(record.value, key), record, (text) => values.has(text));
    }
    return groups;
  }

  /** The records whose key has one of these texts. */
  async #byKey(name: string, { field, where = [] }: Key, texts: readonly string[]): Promise<StoredRecord[]> {
    const table = this.#tables.get(name);
    if (!table?.columns.has(field)) return [];
    const condition = columnTest(table, equality({ text: field, segments: [field] }, texts));
    const found = await this.#read(table, (database) => readRows(database, table, { where: condition.sql }));
    return found.filter(({ value }) => meetsAll(value, where));
  }

  heldField(name: string, fields: readonly string[]): string | undefined {
    const columns = this.#tables.get(name)?.columns;
    return columns && fields.find((field) => columns.has(field));
  }

  indexes(): string[] {
    return ["those of the table"];
  }

  async statistics(name: string, where: readonly Filter[] = []): Promise<Statistics> {
    const { records } = await this.find(name, { ...EVERYTHING, where });
    return promptly(summariseRecords(records));
  }

  async export(limit?: number, whereOf?: (name: string) => readonly Filter[] | undefined): Promise<Exported[]> {
    const window = limit === undefined ? EVERYTHING.window : ({ kind: "slice", start: 0, end: limit } as const);
    const exported = [...this.#tables.values()].map(async ({ name }): Promise<Exported> => {
      const { records } = await this.find(name, { ...EVERYTHING, window, where: whereOf?.(name) ?? [] });
      return { kind: "collection", name, records, version: this.#version };
    });
    return Promise.all(exported);
  }

  async apply(write: Write, options: ApplyOptions = {}): Promise<Change> {
    const { database, rules, completions } = this.#given;
    if (rules && !rules.isLoaded) await rules.load();
    const version = this.#version + 1;
    const { change, receipt } = await applyToTables({
      database,
      tables: this.#tables,
      completions,
      rules,
      version,
      write,
      options,
    });
    if (options.isDryRun || change.edits.length === 0) return change;
    this.#version = Math.max(this.#version, version);
    if (receipt) this.#receipts.add(receipt);
    const { depth } = options;
    for (const listener of this.#listeners) listener({ kind: "change", change, depth });
    return change;
  }

  findReceipt(key: string): FoundReceipt {
    return { receipt: this.#receipts.get(key), load: this.epoch };
  }

  async keepReceipt(receipt: Receipt): Promise<undefined> {
    this.#receipts.add(receipt);
  }

  async alter(): Promise<never> {
    throw refused("Collections cannot be created, renamed or removed");
  }

  async swap(): Promise<never> {
    throw refused("The data cannot be replaced");
  }

  async remake(): Promise<never> {
    throw refused("The data cannot be replaced");
  }

  async reset(): Promise<never> {
    throw new StandinError("RESET_UNAVAILABLE", `There is nothing to reset to: ${WHY}`);
  }

  /** Tables that came or went are noticed; their rows are never copied. */
  async reload(): Promise<boolean> {
    await this.refresh();
    return false;
  }

  /** Tells of the changes that were made through this process. */
  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  announceAddress(): void {}

  close(): Promise<void> {
    return this.#given.database.close();
  }

  async #read<T>(table: Table, read: (database: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#given.database.query(read);
    } catch (thrown) {
      throw refusalOfRead(thrown, table);
    }
  }
}

const WHY = "with --tables, standin stores nothing of its own in the database. Start with --memory to serve a copy.";

function refused(what: string): StandinError {
  return new StandinError("OPTION_UNAVAILABLE", `${what}: ${WHY}`);
}
