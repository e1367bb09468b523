import type { CursorPosition } from "../../../query/cursor.ts";
import { isRange } from "../../../query/filter.ts";
import type { Query } from "../../../query/query.ts";
import type { CountedWindow } from "../../../query/window.ts";
import { all, orderSql, rangeHits } from "../sql/conditions.ts";
import { type Fragment, join, name, sql } from "../sql/fragment.ts";
import { fullKey, truncateKey } from "../sql/sort-key.ts";
import { hasTrait, type KnownMember } from "../tables/catalogue.ts";

/** The form of the result: single records, the text of a list, or a page that related records are added to. */
export type Form = "records" | "text" | "page";

export interface SelectRequest {
  readonly member: KnownMember;
  readonly query: Query;
  /** The conditions of the query as SQL; undefined where all records match. */
  readonly where: Fragment | undefined;
  /** Columns to add to each row. */
  readonly facts: Fragment;
  readonly form: Form;
  /** The position that a window behind a cursor begins after; undefined for the start. */
  readonly after?: CursorPosition | undefined;
}

/** A sort expression; `key_0`, `key_1` and so on among the hits. */
interface OrderKey {
  readonly expression: Fragment;
  readonly descending: boolean;
  /** The value of the expression where a cursor stands. */
  readonly limit: string;
}

/**
 * The records of a query and their number, in one statement. Looks for matches once, by their slots alone, and fetches
 * only the records in the window.
 */
export function selectSql(request: SelectRequest): Fragment {
  const { member, query, where, facts, form } = request;
  const table = name(member.table);
  const keys = query.sort.flatMap((key, at) => {
    const limit = request.after ? fullKey(request.after.keys[at]) : "";
    return orderSql(member, key).map(
      ({ expression, isTruncated }): OrderKey => ({
        expression,
        descending: key.descending,
        limit: isTruncated ? truncateKey(limit) : limit,
      }),
    );
  });
  const order = list([
    ...keys.map(({ expression, descending }) => (descending ? sql`${expression} DESC` : expression)),
    sql`slot`,
  ]);
  const from = sql`(SELECT version, edition, count FROM members WHERE number = ${member.number}) AS m`;
  if (query.window.kind === "after") {
    const source = sql`FROM ${table} WHERE ${all([...(where ? [where] : []), ...afterSql(request, keys)])}`;
    const limit = Math.min(query.window.limit, MAX_POSITION) + 1;
    const rows = rowsSql(source, sql`${order} LIMIT ${limit}::bigint`, form);
    return sql`SELECT ${facts}, 0::bigint AS total, r.* FROM ${from} ${rows}`;
  }
  if (query.window.kind === "all") {
    const source = sql`FROM ${table} WHERE ${where ?? sql`true`}`;
    if (form !== "text")
      return sql`SELECT ${facts}, NULL::bigint AS total, r.* FROM ${from} ${rowsSql(source, order, form)}`;
    return sql`SELECT ${facts}, r.* FROM ${from},
      (SELECT count(*) AS total, string_agg(body, ',' ORDER BY ${order}) AS text ${source}) AS r`;
  }
  const count = where ? sql`(SELECT count(*) FROM hits)` : sql`m.count`;
  const total = where ? count : sql`(SELECT count FROM members WHERE number = ${member.number})`;
  const slots = where
    ? sql`SELECT slot FROM hits ORDER BY ${hitOrder(keys)} ${cut(query.window, total)}`
    : (denseSlots(member, query) ?? sql`SELECT slot FROM ${table} ORDER BY ${order} ${cut(query.window, total)}`);
  const source = sql`FROM ${table} WHERE slot = ANY(ARRAY(${slots}))`;
  const hits = where ? hitsSql(request, where, keys) : sql``;
  if (form !== "text")
    return sql`${hits} SELECT ${facts}, ${count} AS total, r.* FROM ${from} ${rowsSql(source, order, form)}`;
  return sql`${hits} SELECT ${facts}, ${count} AS total,
    (SELECT string_agg(body, ',' ORDER BY ${order}) ${source}) AS text FROM ${from}`;
}

/** The condition of everything behind a cursor, in the order of the keys and then of the collection. */
function afterSql({ after }: SelectRequest, keys: readonly OrderKey[]): Fragment[] {
  if (!after) return [];
  // Anyone can make a cursor with a place between two whole numbers, which are all that this column has.
  let behind = sql`slot > ${Math.floor(after.slot)}::bigint`;
  for (const { expression, descending, limit } of keys.toReversed()) {
    // The first comparison says nothing new, but an index can use it.
    behind = descending
      ? sql`(${expression} <= ${limit} AND (${expression} < ${limit} OR ${behind}))`
      : sql`(${expression} >= ${limit} AND (${expression} > ${limit} OR ${behind}))`;
  }
  return [behind];
}

/** The slots and sort keys of all matches. */
function hitsSql({ member, query }: SelectRequest, where: Fragment, keys: readonly OrderKey[]): Fragment {
  const simple = simpleHits(member, query);
  if (simple) return sql`WITH hits(key_0, slot) AS MATERIALIZED (${simple})`;
  const columns = keys.map(({ expression }, at) => sql`${expression} AS ${name(`key_${at}`)}`);
  return sql`WITH hits AS MATERIALIZED (SELECT ${list([...columns, sql`slot`])} FROM ${name(member.table)} WHERE ${where})`;
}

/** The matches of a query that has only ranges of one field, sorted by that field or not at all. */
function simpleHits(member: KnownMember, { where, search, sort }: Query): Fragment | undefined {
  const [first, ...others] = where.filter(isRange);
  if (
    hasTrait(member, "exactNumbers") ||
    !first ||
    others.length + 1 < where.length ||
    search !== "" ||
    sort.length > 1
  )
    return undefined;
  const isOfOnePath = [...others, ...sort].every(({ path }) => path.text === first.path.text);
  return isOfOnePath && !sort[0]?.order ? rangeHits(member, [first, ...others]) : undefined;
}

/** One row per record, or one row without a record if there is none. */
export function rowsSql(source: Fragment, order: Fragment, form: Form): Fragment {
  const columns = form === "page" ? sql`slot, version, body, doc` : sql`slot, version, body`;
  return sql`LEFT JOIN LATERAL (SELECT ${columns} ${source} ORDER BY ${order}) AS r ON true`;
}

function hitOrder(keys: readonly OrderKey[]): Fragment {
  const columns = keys.map(({ descending }, at) =>
    descending ? sql`${name(`key_${at}`)} DESC` : sql`${name(`key_${at}`)}`,
  );
  return list([...columns, sql`slot`]);
}

function list(parts: readonly Fragment[]): Fragment {
  return join(parts, ", ");
}

/**
 * The slots of a page in the order of the collection. As long as no record was removed, a position is a slot, and the records
 * before the page need not be counted.
 */
function denseSlots({ table, number }: KnownMember, { sort, window }: Query): Fragment | undefined {
  if (sort.length > 0 || window.kind === "all" || window.kind === "after") return undefined;
  const { offset, limit } = boundsOf(window);
  if (offset < 0 || typeof limit !== "number") return undefined;
  const ifDense = (yes: Fragment, no: Fragment): Fragment =>
    sql`(SELECT CASE WHEN count = next_slot THEN ${yes} ELSE ${no} END FROM members WHERE number = ${number})`;
  const [from, none] = [sql`${offset}::bigint`, sql`0::bigint`];
  return sql`SELECT slot FROM ${name(table)} WHERE slot >= ${ifDense(from, none)} ORDER BY slot
    LIMIT ${limit}::bigint OFFSET ${ifDense(none, from)}`;
}

/** Positions like those of `slice`: negative ones count from the end, undefined is the end. */
interface Bounds {
  readonly offset: number;
  readonly limit: number | { readonly end: number | undefined };
}

const MAX_POSITION = 2 ** 52;

type CutWindow = Exclude<CountedWindow, { kind: "all" }>;

function boundsOf(window: CutWindow): Bounds {
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

/** LIMIT and OFFSET of a window. Only a negative position needs the total. */
function cut(window: CutWindow, total: Fragment): Fragment {
  const { offset, limit } = boundsOf(window);
  if (offset >= 0 && typeof limit === "number") return sql`LIMIT ${limit}::bigint OFFSET ${offset}::bigint`;
  const position = (at: number): Fragment =>
    at < 0 ? sql`greatest(0, ${total} + ${at}::bigint)` : sql`least(${at}::bigint, ${total})`;
  const from = position(offset);
  const end =
    typeof limit === "number" ? sql`${from} + ${limit}::bigint` : limit.end === undefined ? total : position(limit.end);
  return sql`LIMIT greatest(0, ${end} - ${from}) OFFSET ${from}`;
}
