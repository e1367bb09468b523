import { isIgnorable } from "../../query/filter.ts";
import { hasPath, type Path } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import type { Statements } from "../postgres/connections/connection.ts";
import { sql } from "../postgres/sql/fragment.ts";
import type { StoredRecord } from "../stored-record.ts";
import { columnAt } from "./column-conditions.ts";
import { readRows } from "./search-table.ts";
import type { Table } from "./table.ts";

/** The filters of a query without plain ones on fields that no record has, which are ignored as in 0.17. */
export async function usedFilters(database: Statements, table: Table, query: Query): Promise<readonly Filter[]> {
  const doubtful = query.where.filter(isIgnorable).map(({ path }) => path);
  if (doubtful.every((path) => columnAt(table, path))) return query.where;
  const held = await heldIn(database, table, doubtful);
  return query.where.filter((filter) => !isIgnorable(filter) || held.has(filter.path.text));
}

/** Those of the paths that lead to a column, or to something in one. */
export async function heldIn(database: Statements, table: Table, paths: readonly Path[]): Promise<Set<string>> {
  const held = new Set<string>();
  for (const path of paths) {
    if (columnAt(table, path)) held.add(path.text);
    else if (table.columns.has(path.segments[0] ?? "") && (await isHeld(database, table, path))) held.add(path.text);
  }
  return held;
}

async function isHeld(database: Statements, table: Table, path: Path): Promise<boolean> {
  const isEnough = ({ value }: StoredRecord): boolean => hasPath(value, path);
  const found = (await readRows(database, table, { where: sql`true`, isEnough })).at(-1);
  return found !== undefined && isEnough(found);
}
