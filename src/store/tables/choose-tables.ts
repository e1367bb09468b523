import { StartError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";

/** A table as far as it can be chosen. */
export interface NamedTable {
  readonly schema: string;
  readonly table: string;
}

/** `public`, `shop.products,companies`, `"My Tables".orders`: names with dots, commas or spaces stand in double quotes. */
const PART = /\s*(?:"((?:[^"]|"")+)"|([^",.]+))\s*([.,]|$)/y;

const DEFAULT_SCHEMA = "public";

/** The tables that `--tables` names: all of a schema, or single ones. */
export function chooseTables<T extends NamedTable>(wanted: string, tables: readonly T[]): T[] {
  const chosen = new Set<T>();
  for (const names of readNames(wanted)) for (const table of tablesOf(names, tables)) chosen.add(table);
  return [...chosen];
}

function tablesOf<T extends NamedTable>([first = "", second]: readonly string[], tables: readonly T[]): T[] {
  const schemas = [...new Set([DEFAULT_SCHEMA, ...tables.map(({ schema }) => schema)])];
  if (second === undefined && schemas.includes(first)) {
    const all = tables.filter(({ schema }) => schema === first);
    if (all.length > 0) return all;
    const others = schemas.filter((schema) => schema !== first);
    const hint =
      others.length === 0 ? "" : ` Schemas with tables: ${others.join(", ")}; name one: --tables ${others[0]}`;
    throw new StartError(`--tables: the schema ${first} has no tables that this user may read.${hint}`);
  }
  const [schema, name] = second === undefined ? [DEFAULT_SCHEMA, first] : [first, second];
  const found = tables.filter((one) => one.schema === schema && one.table === name);
  if (found.length > 0) return found;
  const known = tables.map((one) => (one.schema === DEFAULT_SCHEMA ? one.table : `${one.schema}.${one.table}`));
  const given = second === undefined ? first : `${first}.${second}`;
  throw new StartError(
    `--tables: there is no schema or table "${given}" that this user may read.${didYouMean(given, [...known, ...schemas])}`,
  );
}

function readNames(wanted: string): string[][] {
  const lists: string[][] = [[]];
  PART.lastIndex = 0;
  for (let isOpen = true; isOpen; ) {
    const [, quoted, plain, end] = PART.exec(wanted) ?? [];
    const name = quoted?.replaceAll('""', '"') ?? plain?.trim();
    if (name === undefined || name === "") throw unreadable(wanted);
    const list = lists.at(-1) ?? [];
    list.push(name);
    if (list.length > 2) throw unreadable(wanted);
    if (end === ",") lists.push([]);
    isOpen = end !== "";
  }
  return lists;
}

function unreadable(wanted: string): StartError {
  return new StartError(
    `--tables ${wanted}: give schemas and tables, separated by commas, such as public or shop.products,companies. ` +
      "Write names with dots or commas in double quotes: --tables '\"My.Table\"'",
  );
}
