import { parseJson } from "../../../base/json/json.ts";
import { inSlices, SLOW_STEP, type Work } from "../../../base/slices.ts";
import type { WorkAccount } from "../../../base/work-account.ts";
import { conditionsIn, isCondition, isEquality, isRange, meets } from "../../../query/filter.ts";
import { EVERYTHING } from "../../../query/parse-query.ts";
import type { Condition, Filter, Query } from "../../../query/query.ts";
import type { Statements } from "../connections/connection.ts";
import { all, filterSql, type Ranges, rangeSql, some } from "../sql/conditions.ts";
import { type Fragment, inPages, name, sql } from "../sql/fragment.ts";
import { hasTrait, type KnownMember } from "../tables/catalogue.ts";
import { encodeSearch } from "../tables/coded-text.ts";
import type { RecordRow } from "../tables/row.ts";

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
export async function whereSql(database: Statements, { member, query, where }: WhereRequest): Promise<Fragment[]> {
  const isUncertain = (filter: Filter): boolean =>
    looksIntoTexts(filter) || (hasTrait(member, "exactNumbers") && comparesExactly(filter));
  const uncertain = where.filter(isUncertain);
  const certain = where.filter((filter) => !isUncertain(filter));
  const ranges = certain.filter(isRange);
  const parts = groupByPath(ranges).map((conditions) => rangeSql(member, conditions));
  for (const filter of certain) {
    if (isRange(filter)) continue;
    const part = filterSql(member, filter);
    if (part) parts.push(part);
    else uncertain.push(filter);
  }
  if (query.search !== "") parts.push(sql`search LIKE ${containing(encodeSearch(query.search))}`);
  if (uncertain.length > 0)
    parts.push(
      ...(await uncertainSql(database, { member, filters: uncertain, others: parts, account: query.payer?.account })),
    );
  return parts.length === 0 ? [] : [all(parts)];
}

/** The conditions of records that no query asks for, such as related ones. */
export async function conditionSql(
  database: Statements,
  member: KnownMember,
  where: readonly Filter[] = [],
): Promise<Fragment[]> {
  return where.length === 0 ? [] : whereSql(database, { member, query: EVERYTHING, where });
}

/** Whether a filter has conditions on which the database and this process agree only for plain ASCII. */
function looksIntoTexts(filter: Filter): boolean {
  return conditionsIn(filter).some(({ comparison }) => comparison.index === "text");
}

/**
 * Whether a filter has conditions on which the database, which has no infinite numbers, may be wrong about 1e400: equality,
 * and ranges that end where doubles do.
 */
function comparesExactly(filter: Filter): boolean {
  return conditionsIn(filter).some(({ comparison, values }) => {
    const numbers = values.flatMap((value) => value.split(",")).map(Number);
    if (comparison.isLookup) return numbers.some((number) => !Number.isNaN(number));
    return comparison.index === "range" && numbers.some((number) => Math.abs(number) >= Number.MAX_VALUE);
  });
}

interface UncertainRequest {
  readonly member: KnownMember;
  readonly filters: readonly Filter[];
  /** The other conditions of the query. */
  readonly others: readonly Fragment[];
  readonly account: WorkAccount | undefined;
}

/**
 * Filters on which the database agrees with this process for plain records only, as SQL. The database tests those. This
 * process tests the other records, and all of them if a pattern cannot be translated, and tells the database which match.
 */
async function uncertainSql(
  database: Statements,
  { member, filters, others, account }: UncertainRequest,
): Promise<Fragment[]> {
  const translated = filters.flatMap((filter) => filterSql(member, filter) ?? []);
  const isTranslated = translated.length === filters.length;
  const plain = [...filters.flatMap(literalsSql), ...(isTranslated ? translated : [])];
  if (isTranslated && !hasTrait(member, "nonAscii") && !hasTrait(member, "exactNumbers")) return [all(plain)];
  const undecided = isTranslated ? sql`NOT plain` : some([sql`NOT plain`, all(plain)]);
  const possible = filters
    .filter((filter) => conditionsIn(filter).every(isEquality))
    .flatMap((filter) => filterSql(member, filter) ?? []);
  const slots: string[] = [];
  const rows = sql`SELECT slot, body FROM ${name(member.table)} WHERE ${all([...others, ...possible, undecided])}`;
  for await (const page of inPages<TestedRow>(database, rows, TESTED_AT_ONCE)) {
    account?.expectMore();
    await inSlices(testRows(page, filters, slots));
  }
  const tested = sql`slot = ANY(${slots}::bigint[])`;
  return [isTranslated ? sql`((plain AND ${all(plain)}) OR ${tested})` : tested];
}

type TestedRow = Pick<RecordRow, "slot" | "body">;

/** Adds the slots of the rows that match. */
function* testRows(page: readonly TestedRow[], filters: readonly Filter[], slots: string[]): Work<void> {
  for (const [position, { slot, body }] of page.entries()) {
    const record = parseJson(body);
    if (filters.every((filter) => meets(record, filter))) slots.push(slot);
    if (position % SLOW_STEP === 0) yield;
  }
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

function groupByPath(conditions: readonly Condition[]): Ranges[] {
  const groups = new Map<string, [Condition, ...Condition[]]>();
  for (const condition of conditions) {
    const group = groups.get(condition.path.text);
    if (group) group.push(condition);
    else groups.set(condition.path.text, [condition]);
  }
  return [...groups.values()];
}
