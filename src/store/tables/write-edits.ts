import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { equality } from "../../query/operators/eq.ts";
import { idOf } from "../ids.ts";
import type { Statements } from "../postgres/connections/connection.ts";
import { type Fragment, join, run, sql } from "../postgres/sql/fragment.ts";
import type { Edit } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { type FailedWrite, refusalOfWrite } from "./client-errors.ts";
import { columnTest, isStorable } from "./column-conditions.ts";
import { bodySql, nameSql } from "./column-sql.ts";
import type { Column, Table } from "./table.ts";
import { type BodyRow, recordFrom } from "./table-record.ts";

/** The records as the database has stored them, by those that were planned. */
export type Stored = ReadonlyMap<StoredRecord, StoredRecord>;

/**
 * Writes the planned records: new ones first, parents before those that refer to them, and removals last, the other way
 * round. Only columns that were sent or changed are named, so that defaults and triggers have their say.
 */
export async function writeEdits(
  database: Statements,
  tables: ReadonlyMap<string, Table>,
  edits: readonly Edit[],
): Promise<Stored> {
  const stored = new Map<StoredRecord, StoredRecord>();
  const placed = edits.flatMap((edit) => {
    const table = tables.get(edit.name);
    return table ? [{ ...edit, table }] : [];
  });
  const byRank = placed.toSorted((a, b) => a.table.rank - b.table.rank);
  for (const { table, before, after } of byRank) {
    if (after) expectColumns(table, after, before);
    if (after && !before) stored.set(after, await insert(database, table, after));
  }
  for (const { table, before, after } of byRank) {
    if (after && before) stored.set(after, await update(database, table, { before, after }));
  }
  for (const { table, before, after } of byRank.toReversed())
    if (!after && before) await remove(database, table, before);
  return stored;
}

/** Refuses fields that are no columns, and new values of computed ones. */
function expectColumns({ name, columns }: Table, { value }: StoredRecord, before: StoredRecord | undefined): void {
  for (const [field, given] of Object.entries(objectOf(value))) {
    const column = columns.get(field);
    if (!column) {
      const hint = didYouMean(field, columns.keys()) || ` Columns: ${[...columns.keys()].join(", ")}.`;
      throw new StandinError("RECORD_INVALID", `${name} has no column "${field}".${hint} Nothing was changed.`);
    }
    if (column.isGenerated && !isSame(given, before && objectOf(before.value)[field])) {
      throw new StandinError("RECORD_INVALID", `The database computes "${field}"; leave it out. Nothing was changed.`);
    }
  }
}

async function insert(database: Statements, table: Table, { value }: StoredRecord): Promise<StoredRecord> {
  const record = objectOf(value);
  const columns = writable(table).filter(({ name }) => Object.hasOwn(record, name));
  const names = join(
    columns.map(({ name }) => nameSql(name)),
    ", ",
  );
  // An identity may be one that only the database gives; this one is its own.
  const statement = sql`INSERT INTO ${table.sqlName} AS t (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${names} FROM ${populated(table, columns, record)} RETURNING ${bodySql(table)} AS body`;
  return returned(database, statement, { table, kind: "insert", record });
}

interface Replacement {
  readonly before: StoredRecord;
  readonly after: StoredRecord;
}

async function update(database: Statements, table: Table, { before, after }: Replacement): Promise<StoredRecord> {
  const [old, record] = [objectOf(before.value), objectOf(after.value)];
  const columns = writable(table).filter(({ name }) => name !== table.idKey);
  const given = columns.filter(({ name }) => Object.hasOwn(record, name) && !isSame(record[name], old[name]));
  const left = columns.filter(({ name }) => !Object.hasOwn(record, name));
  if (given.length === 0 && left.length === 0) return before;
  const source = populated(table, given, record);
  const changes = [
    ...given.map(({ name }) => sql`${nameSql(name)} = (SELECT s.${nameSql(name)} FROM ${source} AS s)`),
    ...left.map(({ name }) => sql`${nameSql(name)} = DEFAULT`),
  ];
  const statement = sql`UPDATE ${table.sqlName} AS t SET ${join(changes, ", ")}
    WHERE ${isRow(table, before)} RETURNING ${bodySql(table)} AS body`;
  return returned(database, statement, { table, kind: "update", record });
}

async function remove(database: Statements, table: Table, before: StoredRecord): Promise<void> {
  const statement = sql`DELETE FROM ${table.sqlName} AS t WHERE ${isRow(table, before)} RETURNING ${bodySql(table)} AS body`;
  await returned(database, statement, { table, kind: "delete", record: {} });
}

async function returned(database: Statements, statement: Fragment, write: FailedWrite): Promise<StoredRecord> {
  const rows = await run<BodyRow>(database, statement, false).catch((thrown: unknown) => {
    throw refusalOfWrite(thrown, write);
  });
  const [row] = rows;
  if (row) return recordFrom(write.table, row);
  throw new StandinError(
    "FORBIDDEN_WRITE",
    `The database has left this record of ${write.table.name} as it is: a trigger or a policy may be the reason.`,
  );
}

/** The row that has the id of a record. */
function isRow(table: Table, { value }: StoredRecord): Fragment {
  const { idKey } = table;
  return columnTest(table, equality({ text: idKey, segments: [idKey] }, [String(idOf(value, idKey))])).sql;
}

/** One row of the table's type, made of JSON by the database itself. */
function populated(table: Table, columns: readonly Column[], record: JsonObject): Fragment {
  const fields = Object.fromEntries(
    columns.map((column) => [column.name, asInput(column, record[column.name] ?? null)]),
  );
  return sql`jsonb_populate_record(NULL::${table.sqlName}, ${stringifyJson(fields)}::text::jsonb)`;
}

/** Bytes are base64 in JSON, and digits in PostgreSQL. */
function asInput({ family, name }: Column, value: Json): Json {
  if (!hasOnlyStorable(value)) {
    throw new StandinError(
      "RECORD_INVALID",
      `"${name}" has a character that PostgreSQL cannot store. Nothing was changed.`,
    );
  }
  if (family !== "bytes" || value === null) return value;
  if (typeof value === "string" && /^[\w+/=-]*$/.test(value))
    return `\\x${Buffer.from(value, "base64").toString("hex")}`;
  throw new StandinError("RECORD_INVALID", `"${name}" must be a string of base64. Nothing was changed.`);
}

function hasOnlyStorable(value: Json): boolean {
  if (typeof value === "string") return isStorable(value);
  if (Array.isArray(value)) return value.every(hasOnlyStorable);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && hasOnlyStorable(inner));
}

function writable({ columns }: Table): Column[] {
  return [...columns.values()].filter(({ isGenerated }) => !isGenerated);
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a !== undefined && b !== undefined && stringifyJson(a) === stringifyJson(b);
}
