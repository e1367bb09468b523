import type { Json } from "../../../json.ts";
import { meets } from "../../../query/condition.ts";
import type { Condition, Query } from "../../../query/query.ts";
import type { Window } from "../../../query/window.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { Sql } from "../connections/connection.ts";
import { all, conditionSql, likeSql, orderSql, rangeHits, rangeSql, some } from "../sql/conditions.ts";
import { type Fragment, inPages, join, name, sql } from "../sql/fragment.ts";
import { translatePattern } from "../sql/pattern.ts";
import { has, type KnownMember } from "../tables/catalogue.ts";
import { encodeSearch } from "../tables/coded-text.ts";

/** Rows read at once where records are judged here. */
const JUDGED_AT_ONCE = 2000;
/** Texts that are found in what an array or object is written as, but in no text of the record. */
const NOT_SEARCHED = ["false", "[object object]"];
/** An index of trigrams knows nothing shorter. */
const MIN_LITERAL = 3;

/** The conditions of a query as SQL, none where every record meets them. In a list: a fragment that is awaited is run. */
export async function whereSql(
  database: Sql,
  member: KnownMember,
  query: Query,
  where: readonly Condition[],
): Promise<Fragment[]> {
  const likes = where.filter(({ operator }) => operator === "like");
  const ranges = groupByPath(where.filter(({ operator }) => operator === "gte" || operator === "lte"));
  const others = where.filter(({ operator }) => operator === "eq" || operator === "ne");
  const parts: Fragment[] = [
    ...others.map((condition) => conditionSql(member, condition)),
    ...ranges.map((conditions) => rangeSql(member, conditions)),
  ];
  if (query.search !== "") parts.push(sql`search LIKE ${containing(encodeSearch(query.search))}`);
  if (likes.length > 0) parts.push(...(await likesSql(database, member, likes, parts)));
  return parts.length === 0 ? [] : [all(parts)];
}

/**
 * Patterns: by the database for records of plain ASCII, where it judges as we do; other records, and all of them where a
 * pattern cannot be translated, are judged here, and the database is told which ones match.
 */
async function likesSql(
  database: Sql,
  member: KnownMember,
  likes: readonly Condition[],
  given: readonly Fragment[],
): Promise<Fragment[]> {
  const translated = likes.map(({ values }) => values.map(translatePattern));
  const isTranslated = translated.every((patterns) => patterns.every((pattern) => pattern !== undefined));
  const plain = [
    ...likes.flatMap((condition) => literalsSql(condition)),
    ...(isTranslated ? likes.map(({ path }, at) => likeSql(member, path, translated[at] as string[])) : []),
  ];
  if (isTranslated && !has(member, "foreign")) return [all(plain)];
  const undecided = isTranslated ? sql`NOT plain` : some([sql`NOT plain`, all(plain)]);
  const slots: string[] = [];
  const rows = sql`SELECT slot, body FROM ${name(member.table)} WHERE ${all([...given, undecided])}`;
  for await (const page of inPages(database, rows, JUDGED_AT_ONCE)) {
    for (const { slot, body } of page) {
      const record = JSON.parse(body as string) as Json;
      if (likes.every((condition) => meets(record, condition))) slots.push(slot as string);
    }
  }
  const judged = sql`slot = ANY(${slots}::bigint[])`;
  return [isTranslated ? sql`((plain AND ${all(plain)}) OR ${judged})` : judged];
}

/** A text that a plain record must hold somewhere if it is to match: what the index of trigrams can answer. */
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

/** How the records of a query are wanted: one by one, as the text of a list, or as a page that others belong to. */
export type Form = "records" | "text" | "page";

/**
 * The records of a query and their number, in one statement; `facts` are columns that go with them. What matches is
 * looked for once, by its places alone, and only what lies in the window is fetched.
 */
export function selectSql(
  member: KnownMember,
  query: Query,
  where: Fragment | undefined,
  facts: Fragment,
  form: Form,
): Fragment {
  const table = name(member.table);
  const { window } = query;
  const keys = query.sort.flatMap((key) =>
    orderSql(member, key).map((expression) => ({ expression, descending: key.descending })),
  );
  const order = list([
    ...keys.map(({ expression, descending }) => (descending ? sql`${expression} DESC` : expression)),
    sql`slot`,
  ]);
  const from = sql`(SELECT version, edition, count FROM members WHERE number = ${member.number}) AS m`;
  if (window.kind === "all") {
    const source = sql`FROM ${table} WHERE ${where ?? sql`true`}`;
    if (form !== "text")
      return sql`SELECT ${facts}, NULL::bigint AS total, r.* FROM ${from} ${rowsSql(source, order, form)}`;
    return sql`SELECT ${facts}, r.* FROM ${from},
      (SELECT count(*) AS total, string_agg(body, ',' ORDER BY ${order}) AS text ${source}) AS r`;
  }
  const count = where ? sql`(SELECT count(*) FROM hits)` : sql`m.count`;
  const total = where ? count : sql`(SELECT count FROM members WHERE number = ${member.number})`;
  const places = where
    ? sql`SELECT slot FROM hits ORDER BY ${hitOrder(keys)} ${cut(window, total)}`
    : sql`SELECT slot FROM ${table} ORDER BY ${order} ${cut(window, total)}`;
  const source = sql`FROM ${table} WHERE slot = ANY(ARRAY(${places}))`;
  const columns = keys.map(({ expression }, at) => sql`${expression} AS ${name(`key_${at}`)}`);
  const simple = simpleHits(member, query);
  const matching = simple ?? sql`SELECT ${list([...columns, sql`slot`])} FROM ${table} WHERE ${where}`;
  const hits = where ? sql`WITH hits${simple ? sql`(key_0, slot)` : sql``} AS MATERIALIZED (${matching})` : sql``;
  if (form !== "text")
    return sql`${hits} SELECT ${facts}, ${count} AS total, r.* FROM ${from} ${rowsSql(source, order, form)}`;
  return sql`${hits} SELECT ${facts}, ${count} AS total,
    (SELECT string_agg(body, ',' ORDER BY ${order}) ${source}) AS text FROM ${from}`;
}

/** Ranges of one field and nothing else, in the order of that field or none. */
function simpleHits(member: KnownMember, { where, search, sort }: Query): Fragment | undefined {
  const path = where[0]?.path.text;
  const isRange = where.every(
    ({ operator, path }) => (operator === "gte" || operator === "lte") && path.text === where[0]!.path.text,
  );
  if (path === undefined || !isRange || search !== "") return undefined;
  return sort.every((key) => key.path.text === path) && sort.length <= 1 ? rangeHits(member, where) : undefined;
}

/** One row for each record, and one without a record where there is none. */
export function rowsSql(source: Fragment, order: Fragment, form: Form): Fragment {
  const columns = form === "page" ? sql`slot, version, body, doc` : sql`slot, version, body`;
  return sql`LEFT JOIN LATERAL (SELECT ${columns} ${source} ORDER BY ${order}) AS r ON true`;
}

function hitOrder(keys: readonly { descending: boolean }[]): Fragment {
  const columns = keys.map(({ descending }, at) =>
    descending ? sql`${name(`key_${at}`)} DESC` : sql`${name(`key_${at}`)}`,
  );
  return list([...columns, sql`slot`]);
}

function list(parts: readonly Fragment[]): Fragment {
  return join(parts, ", ");
}

/** Positions, as a slice has them: below zero they count from the end, undefined is the end. */
interface Bounds {
  readonly offset: number;
  readonly limit: number | { readonly end: number | undefined };
}

const MAX_POSITION = 2 ** 52;

function boundsOf(window: Exclude<Window, { kind: "all" }>): Bounds {
  const place = (at: number): number => Math.max(-MAX_POSITION, Math.min(MAX_POSITION, at || 0));
  if (window.kind === "page") {
    const [from, to] = [(window.page - 1) * window.limit, window.page * window.limit];
    return from >= 0 && to >= from
      ? { offset: place(from), limit: place(to - from) }
      : { offset: place(from), limit: { end: place(to) } };
  }
  const { start, end } = window;
  if (start >= 0 && end === undefined) return { offset: place(start), limit: MAX_POSITION };
  if (start >= 0 && end !== undefined && end >= 0)
    return { offset: place(start), limit: Math.max(0, place(end) - place(start)) };
  return { offset: place(start), limit: { end: end === undefined ? undefined : place(end) } };
}

/** A position below zero needs the total; the database has it at hand. */
function cut(window: Exclude<Window, { kind: "all" }>, total: Fragment): Fragment {
  const { offset, limit } = boundsOf(window);
  if (offset >= 0 && typeof limit === "number") return sql`LIMIT ${limit}::bigint OFFSET ${offset}::bigint`;
  const position = (at: number): Fragment =>
    at < 0 ? sql`greatest(0, ${total} + ${at}::bigint)` : sql`least(${at}::bigint, ${total})`;
  const from = position(offset);
  const end =
    typeof limit === "number" ? sql`${from} + ${limit}::bigint` : limit.end === undefined ? total : position(limit.end);
  return sql`LIMIT greatest(0, ${end} - ${from}) OFFSET ${from}`;
}

export function recordOf(row: Record<string, unknown>): StoredRecord {
  const body = row.body as string;
  return new StoredRecord(JSON.parse(body) as Json, Number(row.version), Number(row.slot), body);
}
