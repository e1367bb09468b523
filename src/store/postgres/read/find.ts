import { StandinError } from "../../../errors.ts";
import { didYouMean } from "../../../nearest.ts";
import type { Path } from "../../../query/path.ts";
import type { Condition, Query } from "../../../query/query.ts";
import type { FindOptions, Found } from "../../store.ts";
import { Outdated, type Sql } from "../connections/connection.ts";
import { hasPathSql } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import { type Catalogue, has, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { explainSelect } from "./explain-select.ts";
import { recordOf, selectSql, whereSql } from "./select.ts";
import { readRelated, withRelatedSql } from "./select-relations.ts";

/** What was found, and the versions that were asked for with it. */
export interface FoundRows extends Found {
  versions?: string;
}

/**
 * Finds the records of a query. A plain filter on a field that no record has is passed over, as in 0.17: fields that were
 * never seen are known at once, and where nothing was found the others are looked for.
 */
export async function findRecords(
  database: Sql,
  member: KnownMember,
  query: Query,
  options: FindOptions,
  catalogue: Catalogue,
  idKey: string,
): Promise<FoundRows> {
  if (options.strict) await refuseUnknown(database, member, query.where);
  const known = query.where.filter((condition) => !isPassedOver(condition) || mayHave(member, condition.path));
  const found = await ask(database, member, query, known, options, catalogue, idKey);
  const doubtful = known.filter(isPassedOver);
  if (found.total > 0 || doubtful.length === 0) return found;
  const present = await Promise.all(doubtful.map(({ path }) => hasPath(database, member, path)));
  const absent = doubtful.filter((_, at) => !present[at]);
  if (absent.length === 0) return found;
  return ask(
    database,
    member,
    query,
    known.filter((condition) => !absent.includes(condition)),
    options,
    catalogue,
    idKey,
  );
}

function isPassedOver({ operator, isFromPath }: Condition): boolean {
  return operator === "eq" && !isFromPath;
}

/** Whether some record has a field that the path could begin with. */
function mayHave(member: KnownMember, { text, segments }: Path): boolean {
  return has(member, "odd") || member.keys.has(segments[0]!) || member.keys.has(text);
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

async function ask(
  database: Sql,
  member: KnownMember,
  query: Query,
  where: readonly Condition[],
  { stampOf, trace, asText, with: relations = [] }: FindOptions,
  catalogue: Catalogue,
  idKey: string,
): Promise<FoundRows> {
  const [condition] = await whereSql(database, member, query, where);
  const isRelated = relations.length > 0 && !asText;
  const facts = factsSql(member, stampOf ?? (isRelated ? [member.name] : undefined));
  const select = selectSql(member, query, condition, facts, asText ? "text" : isRelated ? "page" : "records");
  const statement = isRelated ? withRelatedSql(select, catalogue, relations) : select;
  const answer = await run(database, statement, isFrequent(query, where));
  const { page: rows, related } = isRelated
    ? readRelated(answer, catalogue, relations, idKey)
    : { page: answer, related: undefined };
  const first = rows[0];
  // Another edition of the member: what the statement was made from may be wrong by now.
  if (!first || String(first.edition) !== member.edition) throw new Outdated();
  if (trace)
    await explainSelect(database, member, query, where, selectSql(member, query, condition, facts, "text"), trace);
  const stamped = first.versions === undefined ? {} : { versions: first.versions as string };
  if (asText) return { records: [], total: Number(first.total), text: (first.text as string | null) ?? "", ...stamped };
  const records = first.body === null ? [] : rows.map(recordOf);
  const total = first.total === null ? records.length : Number(first.total);
  return { records, total, ...stamped, ...(related && { related }) };
}

/** Statements that a database is asked to keep ready: few enough, whatever clients think of. */
function isFrequent({ sort }: Query, where: readonly Condition[]): boolean {
  return where.length <= 2 && sort.length <= 1 && where.every(({ values }) => values.length === 1);
}

/** What goes with every row: the edition of the member, and the versions of those whose stamp is wanted. */
export function factsSql(member: KnownMember, stampOf: readonly string[] | undefined): Fragment {
  if (!stampOf) return sql`m.edition`;
  if (stampOf.length === 1 && stampOf[0] === member.name) return sql`m.edition, m.version::text AS versions`;
  return sql`m.edition, (SELECT string_agg(coalesce(o.version, 0)::text, '.' ORDER BY n.place)
    FROM unnest(${stampOf.map(encodeText)}::text[]) WITH ORDINALITY AS n(name, place)
    LEFT JOIN members o ON o.name = n.name) AS versions`;
}
