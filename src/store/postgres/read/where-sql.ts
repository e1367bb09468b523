import { parseExact } from "../../../exact-json/parse.ts";
import type { Json } from "../../../json.ts";
import { conditionsIn, isCondition, isRange, meets } from "../../../query/filter.ts";
import type { Condition, Filter, Query } from "../../../query/query.ts";
import type { Sql } from "../connections/connection.ts";
import { all, filterSql, rangeSql, some } from "../sql/conditions.ts";
import { type Fragment, inPages, name, sql } from "../sql/fragment.ts";
import { translatePattern } from "../sql/pattern.ts";
import { hasTrait, type KnownMember } from "../tables/catalogue.ts";
import { encodeSearch } from "../tables/coded-text.ts";

/** Rows fetched at a time where records are tested in this process. */
const TESTED_AT_ONCE = 2000;
/** Texts that occur in the text form of an array or object, but in no text of the record. */
const NOT_SEARCHED = ["false", "[object object]"];
/** A trigram index finds nothing shorter. */
const MIN_LITERAL = 3;

export interface WhereRequest {
  readonly member: KnownMember;
  readonly query: Query;
  readonly where: readonly Filter[];
}

/** The filters of a query as SQL; an empty list where all records match. A list, because awaiting a fragment runs it. */
export async function whereSql(database: Sql, { member, query, where }: WhereRequest): Promise<Fragment[]> {
  const inTexts = where.filter(looksIntoTexts);
  const ranges = where.filter(isRange);
  const others = where.filter((filter) => !looksIntoTexts(filter) && !isRange(filter));
  const parts: Fragment[] = [
    ...others.map((filter) => filterSql(member, filter)),
    ...groupByPath(ranges).map((conditions) => rangeSql(member, conditions)),
  ];
  if (query.search !== "") parts.push(sql`search LIKE ${containing(encodeSearch(query.search))}`);
  if (inTexts.length > 0) parts.push(...(await textsSql(database, { member, filters: inTexts, others: parts })));
  return parts.length === 0 ? [] : [all(parts)];
}

/** Whether a filter has conditions on which the database and this process agree only for plain ASCII. */
function looksIntoTexts(filter: Filter): boolean {
  return conditionsIn(filter).some(({ operator }) => ["like", "contains", "startsWith", "endsWith"].includes(operator));
}

interface TextsRequest {
  readonly member: KnownMember;
  readonly filters: readonly Filter[];
  /** The other conditions of the query. */
  readonly others: readonly Fragment[];
}

/**
 * Filters that look into texts as SQL. The database tests records of plain ASCII, where it compares as we do. This process
 * tests the other records, and all of them if a pattern cannot be translated, and tells the database which ones match.
 */
async function textsSql(database: Sql, { member, filters, others }: TextsRequest): Promise<Fragment[]> {
  const isTranslated = filters.flatMap(conditionsIn).every(isTranslatable);
  const plain = [
    ...filters.flatMap(literalsSql),
    ...(isTranslated ? filters.map((filter) => filterSql(member, filter)) : []),
  ];
  if (isTranslated && !hasTrait(member, "nonAscii")) return [all(plain)];
  const undecided = isTranslated ? sql`NOT plain` : some([sql`NOT plain`, all(plain)]);
  const slots: string[] = [];
  const rows = sql`SELECT slot, body FROM ${name(member.table)} WHERE ${all([...others, undecided])}`;
  for await (const page of inPages(database, rows, TESTED_AT_ONCE)) {
    for (const { slot, body } of page) {
      const record = parseExact(body as string) as Json;
      if (filters.every((filter) => meets(record, filter))) slots.push(slot as string);
    }
  }
  const tested = sql`slot = ANY(${slots}::bigint[])`;
  return [isTranslated ? sql`((plain AND ${all(plain)}) OR ${tested})` : tested];
}

function isTranslatable({ operator, values }: Condition): boolean {
  return operator !== "like" || values.every((value) => translatePattern(value) !== undefined);
}

/** A text that every matching plain record contains, for the trigram index. */
function literalsSql(filter: Filter): Fragment[] {
  if (!isCondition(filter) || filter.isNegated) return [];
  const { literals = [] } = filter;
  const isUsable = (text: string): boolean =>
    text.length >= MIN_LITERAL && !text.includes(",") && !NOT_SEARCHED.some((other) => other.includes(text));
  const longest = literals.map((texts) => texts.filter(isUsable).sort((a, b) => b.length - a.length)[0]);
  if (longest.length !== 1 || longest[0] === undefined) return [];
  return [sql`search LIKE ${containing(encodeSearch(longest[0]))}`];
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

function groupByPath(conditions: readonly Condition[]): Condition[][] {
  const groups = new Map<string, Condition[]>();
  for (const condition of conditions) {
    const group = groups.get(condition.path.text);
    if (group) group.push(condition);
    else groups.set(condition.path.text, [condition]);
  }
  return [...groups.values()];
}
