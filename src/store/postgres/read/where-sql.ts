import type { Json } from "../../../json.ts";
import { meets } from "../../../query/condition.ts";
import type { Condition, Query } from "../../../query/query.ts";
import type { Sql } from "../connections/connection.ts";
import { all, conditionSql, likeSql, rangeSql, some } from "../sql/conditions.ts";
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
  readonly where: readonly Condition[];
}

/** The conditions of a query as SQL; an empty list where all records match. A list, because awaiting a fragment runs it. */
export async function whereSql(database: Sql, { member, query, where }: WhereRequest): Promise<Fragment[]> {
  const likes = where.filter(({ operator }) => operator === "like");
  const ranges = groupByPath(where.filter(({ operator }) => operator === "gte" || operator === "lte"));
  const others = where.filter(({ operator }) => operator === "eq" || operator === "ne");
  const parts: Fragment[] = [
    ...others.map((condition) => conditionSql(member, condition)),
    ...ranges.map((conditions) => rangeSql(member, conditions)),
  ];
  if (query.search !== "") parts.push(sql`search LIKE ${containing(encodeSearch(query.search))}`);
  if (likes.length > 0) parts.push(...(await likesSql(database, { member, likes, others: parts })));
  return parts.length === 0 ? [] : [all(parts)];
}

interface LikesRequest {
  readonly member: KnownMember;
  readonly likes: readonly Condition[];
  /** The other conditions of the query. */
  readonly others: readonly Fragment[];
}

/**
 * Patterns as SQL. The database tests records of plain ASCII, where its patterns mean the same as ours. This process tests
 * the other records, and all of them if a pattern cannot be translated, and tells the database which ones match.
 */
async function likesSql(database: Sql, { member, likes, others }: LikesRequest): Promise<Fragment[]> {
  const translated = likes.map(({ values }) => values.map(translatePattern));
  const isTranslated = translated.every((patterns) => patterns.every((pattern) => pattern !== undefined));
  const plain = [
    ...likes.flatMap((condition) => literalsSql(condition)),
    ...(isTranslated ? likes.map(({ path }, at) => likeSql(member, path, translated[at] as string[])) : []),
  ];
  if (isTranslated && !hasTrait(member, "nonAscii")) return [all(plain)];
  const undecided = isTranslated ? sql`NOT plain` : some([sql`NOT plain`, all(plain)]);
  const slots: string[] = [];
  const rows = sql`SELECT slot, body FROM ${name(member.table)} WHERE ${all([...others, undecided])}`;
  for await (const page of inPages(database, rows, TESTED_AT_ONCE)) {
    for (const { slot, body } of page) {
      const record = JSON.parse(body as string) as Json;
      if (likes.every((condition) => meets(record, condition))) slots.push(slot as string);
    }
  }
  const tested = sql`slot = ANY(${slots}::bigint[])`;
  return [isTranslated ? sql`((plain AND ${all(plain)}) OR ${tested})` : tested];
}

/** A text that every matching plain record contains, for the trigram index. */
function literalsSql({ literals = [] }: Condition): Fragment[] {
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
