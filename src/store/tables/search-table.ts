import { inSlices } from "../../base/slices.ts";
import { metered } from "../../base/work-account.ts";
import { type CursorPosition, compareToPosition, createCursor, readCursor } from "../../query/cursor.ts";
import { sortInSteps } from "../../query/order.ts";
import type { Path } from "../../query/path.ts";
import type { Filter, Query, SortKey } from "../../query/query.ts";
import { type CountedWindow, positionsOf } from "../../query/window.ts";
import { filterRecords } from "../memory/filter-records.ts";
import type { Statements } from "../postgres/connections/connection.ts";
import { type Fragment, inPages, join, only, run, sql } from "../postgres/sql/fragment.ts";
import type { FindOptions, Found } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { columnAt, rowTest } from "./column-conditions.ts";
import { bodySql, sortSql } from "./column-sql.ts";
import { afterSql, type OrderedBy } from "./keyset.ts";
import type { Column, Table } from "./table.ts";
import { type BodyRow, recordFrom } from "./table-record.ts";

/** Rows fetched at a time where this process tests them. */
const ROWS_AT_ONCE = 2000;
const MAX_POSITION = 2 ** 52;

export interface TableSearch {
  readonly table: Table;
  readonly query: Query;
  /** The filters of the query that are not ignored. */
  readonly where: readonly Filter[];
  readonly options: FindOptions;
  /** Identifies the data that cursors belong to. */
  readonly data: string;
}

/**
 * Finds the records of a query. If the database can tell which rows match, and sort them, it sends only those in the window;
 * otherwise it sends the rows that may match, and this process does the rest.
 */
export async function searchTable(database: Statements, search: TableSearch): Promise<Found> {
  const { table, query, where, options } = search;
  const test = rowTest(table, where);
  const keys = orderOf(table, query.sort);
  const { trace } = options;
  if (!test.isExact || query.search !== "" || !keys) {
    trace?.steps.push("rows that may match, tested by this process");
    const candidates = await readRows(database, table, { where: test.sql, payer: query.payer });
    if (trace) trace.touched += candidates.length;
    return arrange(candidates, search);
  }
  trace?.steps.push("query of the database");
  const found = await selectRows(database, search, { where: test.sql, keys });
  if (trace) trace.touched += found.records.length;
  return found;
}

/** The order of a query, and then of the table; undefined if a key leads into a value that the database cannot sort by. */
function orderOf(table: Table, sort: readonly SortKey[]): OrderedBy[] | undefined {
  const keys: OrderedBy[] = [];
  for (const { path, order, descending } of sort) {
    const column = order ? undefined : columnAt(table, path);
    // Sorting by a field that no record has changes nothing.
    const isNowhere = !order && !column && !table.columns.has(path.segments[0] ?? "");
    const expression = column && sortSql(column);
    if (expression) keys.push({ column, expression, descending });
    else if (!isNowhere) return undefined;
    else keys.push({ column: undefined, expression: sql`NULL::text`, descending });
  }
  for (const column of table.order) {
    const expression = sortSql(column);
    if (expression) keys.push({ column, expression, descending: false });
  }
  return keys;
}

interface Selection {
  readonly where: Fragment;
  readonly keys: readonly OrderedBy[];
}

async function selectRows(database: Statements, search: TableSearch, { where, keys }: Selection): Promise<Found> {
  const { table, query, data } = search;
  const { window } = query;
  const order = orderBy(keys);
  if (window.kind === "after") {
    const placed = withPlace(table, query);
    const position = readCursor(window.cursor, placed, data);
    const behind = position ? afterSql(keys, position.keys) : sql`true`;
    const limit = Math.min(window.limit, MAX_POSITION) + 1;
    const rows = await run<BodyRow>(
      database,
      sql`SELECT ${bodySql(table)} AS body FROM ${table.sqlName} AS t
        WHERE ${where} AND ${behind} ${order} LIMIT ${limit}::bigint`,
      false,
    );
    return pageAfter(
      rows.map((row) => recordFrom(table, row)),
      search,
    );
  }
  const bounds = await boundsOf(database, search, where);
  const total =
    window.kind === "all" ? sql`NULL::bigint` : sql`(SELECT count(*) FROM ${table.sqlName} AS t WHERE ${where})`;
  const rows = await run<BodyRow & { readonly total: string | null }>(
    database,
    sql`SELECT ${total} AS total, p.body FROM (SELECT 1) AS one LEFT JOIN LATERAL
      (SELECT ${bodySql(table)} AS body FROM ${table.sqlName} AS t WHERE ${where} ${order} ${bounds}) AS p ON true`,
    false,
  );
  const records = rows.flatMap((row) => (row.body === null ? [] : [recordFrom(table, row)]));
  return { records, total: rows[0]?.total === null ? records.length : Number(rows[0]?.total) };
}

function orderBy(keys: readonly OrderedBy[]): Fragment {
  if (keys.length === 0) return sql``;
  const parts = keys.map(({ expression, descending }) =>
    descending ? sql`${expression} DESC NULLS FIRST` : sql`${expression} ASC NULLS LAST`,
  );
  return sql`ORDER BY ${join(parts, ", ")}`;
}

/** LIMIT and OFFSET of a window. Only positions that count from the end need the number of matches first. */
async function boundsOf(database: Statements, { table, query }: TableSearch, where: Fragment): Promise<Fragment> {
  const window = query.window as CountedWindow;
  if (window.kind === "all") return sql``;
  const place = (at: number): number => Math.min(MAX_POSITION, at);
  const [start, end] =
    window.kind === "page"
      ? [(window.page - 1) * window.limit, window.page * window.limit]
      : [window.start, window.end ?? MAX_POSITION];
  if (start >= 0 && end >= 0) {
    return sql`LIMIT ${Math.max(0, place(end) - place(start))}::bigint OFFSET ${place(start)}::bigint`;
  }
  const count = sql`SELECT count(*) AS count FROM ${table.sqlName} AS t WHERE ${where}`;
  const total = Number(only(await run<{ count: string }>(database, count, false)).count);
  const { from, to } = positionsOf(window, total);
  return sql`LIMIT ${to - from}::bigint OFFSET ${from}::bigint`;
}

interface Reading {
  readonly where: Fragment;
  readonly payer?: Query["payer"];
  /** Ends the reading when it returns true. */
  readonly isEnough?: (record: StoredRecord) => boolean;
}

/** The rows that meet a condition, in the order of the table. */
export async function readRows(database: Statements, table: Table, reading: Reading): Promise<StoredRecord[]> {
  const { where, payer, isEnough } = reading;
  const order = orderBy(orderOf(table, []) ?? []);
  const all = sql`SELECT ${bodySql(table)} AS body FROM ${table.sqlName} AS t WHERE ${where} ${order}`;
  const records: StoredRecord[] = [];
  for await (const page of inPages<BodyRow>(database, all, ROWS_AT_ONCE)) {
    payer?.account.expectMore();
    for (const row of page) {
      const record = recordFrom(table, row);
      records.push(record);
      if (isEnough?.(record)) return records;
    }
  }
  return records;
}

/** Tests, sorts and cuts records in this process. */
async function arrange(candidates: readonly StoredRecord[], search: TableSearch): Promise<Found> {
  const { table, query, where } = search;
  const { payer, window } = query;
  const kept = await filterRecords({ records: candidates, where, search: query.search, payer });
  const placed = window.kind === "after" ? withPlace(table, query) : query;
  const readValue = (record: StoredRecord) => record.value;
  const sorted =
    placed.sort.length === 0
      ? kept
      : await inSlices(metered(sortInSteps(kept, placed.sort, readValue), payer?.account));
  if (window.kind !== "after") {
    const { from, to } = positionsOf(window, sorted.length);
    return { records: sorted.slice(from, to), total: sorted.length };
  }
  const position = readCursor(window.cursor, placed, search.data);
  const rest = position ? sorted.filter((record) => isBehind(record, position, placed.sort)) : sorted;
  return pageAfter(rest.slice(0, window.limit + 1), search);
}

function isBehind({ value }: StoredRecord, { keys }: CursorPosition, sort: readonly SortKey[]): boolean {
  return compareToPosition({ value, slot: 0 }, { keys, slot: 0 }, sort) > 0;
}

/** The page, given one record more than it has if there are any. */
function pageAfter(found: readonly StoredRecord[], { table, query, data }: TableSearch): Found {
  const limit = query.window.kind === "after" ? query.window.limit : found.length;
  const records = found.slice(0, limit);
  const last = found.length > limit ? records.at(-1) : undefined;
  // Rows have no place but their key, which the cursor therefore has among its sort keys.
  const next = last && createCursor({ value: last.value, slot: 0 }, withPlace(table, query), data);
  return { records, total: 0, next };
}

function withPlace({ order }: Table, query: Query): Query {
  const keys = order.map((column): SortKey => ({ path: pathOf(column), descending: false }));
  return { ...query, sort: [...query.sort, ...keys] };
}

function pathOf({ name }: Column): Path {
  return { text: name, segments: [name] };
}
