import { createCursor, readCursor } from "../../../query/cursor.ts";
import { ignoredPaths, isCondition, isIgnorable } from "../../../query/filter.ts";
import type { Path } from "../../../query/path.ts";
import type { Filter, Query } from "../../../query/query.ts";
import type { FindOptions, Found } from "../../store.ts";
import type { Statements } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import { hasPathSql } from "../sql/conditions.ts";
import { type Fragment, join, name, only, run, sql } from "../sql/fragment.ts";
import { type Catalogue, hasTrait, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { recordsIn } from "../tables/row.ts";
import { explainSelect } from "./explain-select.ts";
import { type PartRow, readRelated, relatedParts, withRelatedSql } from "./select-relations.ts";
import { selectSql } from "./select-sql.ts";
import { whereSql } from "./where-sql.ts";

/** The records found, and the requested versions. */
export interface FoundRows extends Found {
  versions?: string;
  isEmpty: boolean;
}

export interface Search {
  readonly member: KnownMember;
  readonly query: Query;
  readonly options: FindOptions;
  readonly catalogue: Catalogue;
  /** Identifies the data that cursors belong to. */
  readonly data: string;
}

/** Finds the records of a query. */
export async function findRows(database: Statements, search: Search): Promise<FoundRows> {
  const { result, ignored } = await withKnownFilters(database, search, (where) => select(database, search, where));
  return ignored ? { ...result, ignored } : result;
}

/**
 * Runs a query without the filters to ignore: like 0.17, a plain filter on a field that no record has. Fields that were
 * never stored are known from the catalogue; the others are looked up only if nothing was found.
 */
export async function withKnownFilters<T extends { readonly isEmpty: boolean }>(
  database: Statements,
  { member, query }: Search,
  runWith: (where: readonly Filter[]) => Promise<T>,
): Promise<{ result: T; ignored: readonly string[] | undefined }> {
  const known = query.where.filter((filter) => !isIgnorable(filter) || mayHave(member, filter.path));
  const result = await runWith(known);
  const doubtful = known.filter(isIgnorable);
  if (!result.isEmpty || doubtful.length === 0) return { result, ignored: ignoredPaths(query.where, known) };
  const held = await heldPaths(
    database,
    member,
    doubtful.map(({ path }) => path),
  );
  const absent: readonly Filter[] = doubtful.filter(({ path }) => !held.has(path.text));
  if (absent.length === 0) return { result, ignored: ignoredPaths(query.where, known) };
  const remaining = known.filter((filter) => !absent.includes(filter));
  return { result: await runWith(remaining), ignored: ignoredPaths(query.where, remaining) };
}

/** Whether any record has a field that the path could begin with. */
function mayHave(member: KnownMember, { text, segments }: Path): boolean {
  const [first = text] = segments;
  return hasTrait(member, "nonObject") || member.keys.has(first) || member.keys.has(text);
}

export async function anyRowHas(database: Statements, member: KnownMember, path: Path): Promise<boolean> {
  const rows = await run<{ found: boolean }>(
    database,
    sql`SELECT EXISTS (SELECT FROM ${name(member.table)} WHERE ${hasPathSql(member, path)}) AS found`,
  );
  return only(rows).found;
}

/** The paths that one statement looks for. */
const PATHS_AT_ONCE = 100;

/** Those of the paths at which any record has a value. */
export async function heldPaths(
  database: Statements,
  member: KnownMember,
  paths: readonly Path[],
): Promise<Set<string>> {
  const possible = paths.filter((path) => mayHave(member, path));
  const held = new Set<string>();
  for (let from = 0; from < possible.length; from += PATHS_AT_ONCE) {
    const asked = possible.slice(from, from + PATHS_AT_ONCE);
    const tests = asked.map(
      (path) => sql`EXISTS (SELECT FROM ${name(member.table)} WHERE ${hasPathSql(member, path)})`,
    );
    // As text, because the driver does not read arrays.
    const statement = sql`SELECT edition, array_to_string(ARRAY[${join(tests, ", ")}], '') AS found
      FROM members WHERE number = ${member.number}`;
    const [row] = await run<{ edition: string; found: string }>(database, statement, false);
    if (row?.edition !== member.edition) throw new OutdatedCatalogue();
    for (const [at, { text }] of asked.entries()) if (row.found[at] === "t") held.add(text);
  }
  return held;
}

/** Runs the query with these filters. */
async function select(
  database: Statements,
  { member, query, options, catalogue, data }: Search,
  where: readonly Filter[],
): Promise<FoundRows> {
  const { stampOf, trace, asText, with: relations = [] } = options;
  const { window } = query;
  const after = window.kind === "after" ? readCursor(window.cursor, query, data) : undefined;
  const [condition] = await whereSql(database, { member, query, where });
  const isRelated = relations.length > 0 && !asText;
  const facts = factsSql(member, stampOf ?? (isRelated ? [member.name] : undefined));
  const parts = { member, query, where: condition, facts, after };
  const page = selectSql({ ...parts, form: asText ? "text" : isRelated ? "page" : "records" });
  const statement = isRelated ? withRelatedSql(page, await relatedParts(database, { catalogue, relations })) : page;
  const result = await run<PartRow>(database, statement, isFrequent(query, where));
  const { page: rows, related } = isRelated
    ? await readRelated(result, { catalogue, relations })
    : { page: result, related: undefined };
  const first = rows[0];
  // Another edition of the member: the catalogue that the statement was built from may be wrong.
  if (first?.edition !== member.edition) throw new OutdatedCatalogue();
  if (trace)
    await explainSelect(database, { member, query, where, trace, select: selectSql({ ...parts, form: "text" }) });
  const stamped = first.versions === undefined ? {} : { versions: first.versions };
  if (asText) {
    const total = Number(first.total);
    return { records: [], total, isEmpty: total === 0, text: first.text ?? "", ...stamped };
  }
  const found = recordsIn(rows);
  const records = window.kind === "after" ? found.slice(0, window.limit) : found;
  const last = records.at(-1);
  const total = first.total === null ? records.length : Number(first.total);
  const isEmpty = window.kind === "after" ? records.length === 0 : total === 0;
  const next = last && found.length > records.length ? createCursor(last, query, data) : undefined;
  return { records, total, isEmpty, next, ...stamped, ...(related && { related }) };
}

/** Whether the database should keep the statement prepared: only for a bounded number of forms, regardless of what clients send. */
function isFrequent({ sort }: Query, where: readonly Filter[]): boolean {
  return where.length <= 2 && sort.length <= 1 && where.every((one) => isCondition(one) && one.values.length === 1);
}

/** The columns added to each row: the member's edition, and the versions of the members in `stampOf`. */
export function factsSql(member: KnownMember, stampOf: readonly string[] | undefined): Fragment {
  if (!stampOf) return sql`m.edition`;
  if (stampOf.length === 1 && stampOf[0] === member.name) return sql`m.edition, m.version::text AS versions`;
  return sql`m.edition, (SELECT string_agg(coalesce(o.version, 0)::text, '.' ORDER BY n.place)
    FROM unnest(${stampOf.map(encodeText)}::text[]) WITH ORDINALITY AS n(name, place)
    LEFT JOIN members o ON o.name = n.name) AS versions`;
}
