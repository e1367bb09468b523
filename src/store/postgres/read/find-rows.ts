import { StandinError } from "../../../errors.ts";
import { didYouMean } from "../../../nearest.ts";
import type { Path } from "../../../query/path.ts";
import type { Condition, Query } from "../../../query/query.ts";
import type { FindOptions, Found } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import { hasPathSql } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import { type Catalogue, hasTrait, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { recordFromRow } from "../tables/row.ts";
import { explainSelect } from "./explain-select.ts";
import { readRelated, withRelatedSql } from "./select-relations.ts";
import { selectSql } from "./select-sql.ts";
import { whereSql } from "./where-sql.ts";

/** The records found, and the requested versions. */
export interface FoundRows extends Found {
  versions?: string;
}

export interface Search {
  readonly member: KnownMember;
  readonly query: Query;
  readonly options: FindOptions;
  readonly catalogue: Catalogue;
  readonly idKey: string;
}

/**
 * Finds the records of a query. Like 0.17, it ignores a plain filter on a field that no record has. Fields that were never
 * stored are known from the catalogue; the others are looked up only if nothing was found.
 */
export async function findRows(database: Sql, search: Search): Promise<FoundRows> {
  const { member, query, options } = search;
  if (options.strict) await refuseUnknown(database, member, query.where);
  const known = query.where.filter((condition) => !isIgnorable(condition) || mayHave(member, condition.path));
  const found = await select(database, search, known);
  const doubtful = known.filter(isIgnorable);
  if (found.total > 0 || doubtful.length === 0) return found;
  const present = await Promise.all(doubtful.map(({ path }) => hasPath(database, member, path)));
  const absent = doubtful.filter((_, at) => !present[at]);
  if (absent.length === 0) return found;
  return select(
    database,
    search,
    known.filter((condition) => !absent.includes(condition)),
  );
}

/** Whether the condition is ignored when no record has its field. */
function isIgnorable({ operator, isFromPath }: Condition): boolean {
  return operator === "eq" && !isFromPath;
}

/** Whether any record has a field that the path could begin with. */
function mayHave(member: KnownMember, { text, segments }: Path): boolean {
  return hasTrait(member, "nonObject") || member.keys.has(segments[0]!) || member.keys.has(text);
}

export async function hasPath(database: Sql, member: KnownMember, path: Path): Promise<boolean> {
  const [row] = await run(
    database,
    sql`SELECT EXISTS (SELECT FROM ${name(member.table)} WHERE ${hasPathSql(member, path)}) AS found`,
  );
  return row!.found as boolean;
}

async function refuseUnknown(database: Sql, member: KnownMember, where: readonly Condition[]): Promise<void> {
  const [first] = await run(database, sql`SELECT body FROM ${name(member.table)} ORDER BY slot LIMIT 1`);
  if (!first) return;
  for (const { path, isFromPath } of where) {
    if (isFromPath || (await hasPath(database, member, path))) continue;
    const record: unknown = JSON.parse(first.body as string);
    const fields = typeof record === "object" && record !== null && !Array.isArray(record) ? Object.keys(record) : [];
    throw new StandinError(
      "QUERY_FIELD_UNKNOWN",
      `No record of ${member.name} has a field "${path.text}".${didYouMean(path.text, fields)} Fields: ${fields.join(", ")}.`,
    );
  }
}

/** Runs the query with these conditions. */
async function select(
  database: Sql,
  { member, query, options, catalogue, idKey }: Search,
  where: readonly Condition[],
): Promise<FoundRows> {
  const { stampOf, trace, asText, with: relations = [] } = options;
  const [condition] = await whereSql(database, { member, query, where });
  const isRelated = relations.length > 0 && !asText;
  const facts = factsSql(member, stampOf ?? (isRelated ? [member.name] : undefined));
  const parts = { member, query, where: condition, facts };
  const page = selectSql({ ...parts, form: asText ? "text" : isRelated ? "page" : "records" });
  const statement = isRelated ? withRelatedSql(page, catalogue, relations) : page;
  const result = await run(database, statement, isFrequent(query, where));
  const { page: rows, related } = isRelated
    ? readRelated(result, { catalogue, relations, idKey })
    : { page: result, related: undefined };
  const first = rows[0];
  // Another edition of the member: the catalogue that the statement was built from may be wrong.
  if (!first || String(first.edition) !== member.edition) throw new OutdatedCatalogue();
  if (trace)
    await explainSelect(database, { member, query, where, trace, select: selectSql({ ...parts, form: "text" }) });
  const stamped = first.versions === undefined ? {} : { versions: first.versions as string };
  if (asText) return { records: [], total: Number(first.total), text: (first.text as string | null) ?? "", ...stamped };
  const records = first.body === null ? [] : rows.map(recordFromRow);
  const total = first.total === null ? records.length : Number(first.total);
  return { records, total, ...stamped, ...(related && { related }) };
}

/** Whether the database should keep the statement prepared: only for a bounded number of forms, regardless of what clients send. */
function isFrequent({ sort }: Query, where: readonly Condition[]): boolean {
  return where.length <= 2 && sort.length <= 1 && where.every(({ values }) => values.length === 1);
}

/** The columns added to each row: the member's edition, and the versions of the members in `stampOf`. */
export function factsSql(member: KnownMember, stampOf: readonly string[] | undefined): Fragment {
  if (!stampOf) return sql`m.edition`;
  if (stampOf.length === 1 && stampOf[0] === member.name) return sql`m.edition, m.version::text AS versions`;
  return sql`m.edition, (SELECT string_agg(coalesce(o.version, 0)::text, '.' ORDER BY n.place)
    FROM unnest(${stampOf.map(encodeText)}::text[]) WITH ORDINALITY AS n(name, place)
    LEFT JOIN members o ON o.name = n.name) AS versions`;
}
