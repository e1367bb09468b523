import type { Path } from "../../../query/path.ts";
import type { Condition, SortKey } from "../../../query/query.ts";
import { has, isField, isPosition, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { containedForms } from "./containment.ts";
import { type Fragment, join, name, sql } from "./fragment.ts";
import { intersection, type KeyRange, KIND, kept, keyRange, keysOfTexts } from "./sort-key.ts";

/**
 * Conditions in SQL. Each has a slow form that is always right, by the function `judged`, and quick ones for what data are
 * as a rule: by the sort key of a field, or by containment, which the index of whole records answers.
 */
export function conditionSql(member: KnownMember, condition: Condition): Fragment {
  return condition.operator === "ne" ? noneEqual(member, condition) : equal(member, condition);
}

/** All range conditions on one path: for a value that is no array they are one range. */
export function rangeSql(member: KnownMember, conditions: readonly Condition[]): Fragment {
  const ranges = conditions.map(({ operator, values }) => keyRange(operator as "gte" | "lte", values));
  const { path } = conditions[0]!;
  const slow = all(ranges.map((range) => judgedSome(path, withinSql(sql`key`, range, false))));
  const key = keyExpression(member, path);
  if (!key) return slow;
  const quick = withinSql(key, ranges.reduce(intersection), has(member, "wide"));
  return withExceptions(member, key, quick, slow);
}

/** The places of what lies in a range, where an index alone can tell: one walk along it for each kind of value. */
export function rangeHits(member: KnownMember, conditions: readonly Condition[]): Fragment | undefined {
  const { path } = conditions[0]!;
  const column = member.orders.get(path.text);
  const isPlain = !has(member, "wide") && !has(member, "nested") && !has(member, "odd") && isField(path);
  if (column === undefined || !isPlain) return undefined;
  const { numbers, texts, booleans } = conditions
    .map(({ operator, values }) => keyRange(operator as "gte" | "lte", values))
    .reduce(intersection);
  const spans = [numbers, texts, ...booleans.map((key) => [key, key] as const)].filter(([from, to]) => from <= to);
  const key = name(column);
  const parts = spans.map(
    ([from, to]) => sql`SELECT ${key}, slot FROM ${name(member.table)} WHERE ${key} >= ${from} AND ${key} <= ${to}`,
  );
  return parts.length === 0 ? undefined : join(parts, " UNION ALL ");
}

function equal(member: KnownMember, { path, values }: Condition): Fragment {
  const keys = keysOfTexts(values);
  const slow = judgedSome(path, sql`key = ANY(${keys}::text[])`);
  const isDeclared = member.orders.has(path.text);
  const forms = isDeclared ? undefined : containedForms(member, path, values);
  if (forms) {
    const contained = some(forms.map((form) => sql`doc @> ${form}::text::jsonb`));
    return isField(path) ? contained : sql`(${contained} AND ${slow})`;
  }
  const key = keyExpression(member, path);
  if (!key) return slow;
  return withExceptions(member, key, sql`${key} = ANY(${keys.map(kept)}::text[])`, slow);
}

function noneEqual(member: KnownMember, { path, values }: Condition): Fragment {
  const keys = keysOfTexts(values);
  const slowEqual = judgedSome(path, sql`key = ANY(${keys}::text[])`);
  const key = has(member, "wide") ? undefined : keyExpression(member, path);
  if (!key) return sql`(cardinality(${judged(path)}) > 0 AND NOT ${slowEqual})`;
  const quick = sql`(${key} < ${KIND.null} AND ${key} <> ALL(${keys}::text[]))`;
  return has(member, "nested") ? sql`(${quick} AND (${key} < ${KIND.other} OR NOT ${slowEqual}))` : quick;
}

/** Whether the text of a judged value matches one of the patterns; for records of plain text. */
export function likeSql(member: KnownMember, path: Path, patterns: readonly string[]): Fragment {
  const slow = sql`EXISTS (SELECT FROM unnest(${judged(path)}) AS j(value)
    WHERE (text_of(j.value) COLLATE "C") ~* ANY(${patterns as string[]}::text[]))`;
  if (!isField(path) || has(member, "odd")) return slow;
  const value = sql`(doc -> ${encodeText(path.text)}::text)`;
  const text = sql`CASE jsonb_typeof(${value}) WHEN 'string' THEN ${value} #>> '{}'
    WHEN 'number' THEN text_of(${value}) WHEN 'boolean' THEN text_of(${value}) END`;
  const quick = sql`((${text}) COLLATE "C") ~* ANY(${patterns as string[]}::text[])`;
  return has(member, "nested") ? sql`(${quick} OR (jsonb_typeof(${value}) IN ('array', 'object') AND ${slow}))` : quick;
}

/** What records are sorted by: the kept key where there is one that is whole, else the key made for the occasion. */
export function orderSql(member: KnownMember, { path }: SortKey): Fragment[] {
  const column = member.orders.get(path.text);
  const value = isField(path)
    ? sql`doc -> ${encodeText(path.text)}::text`
    : sql`value_at(doc, ${encodeText(path.text)}, ${path.segments.map(encodeText)}::text[])`;
  const full = sql`(full_key(${value}) COLLATE "C")`;
  if (column === undefined) return [full];
  return has(member, "wide") ? [sql`${name(column)}`, full] : [sql`${name(column)}`];
}

/** Whether the field of the record itself has one of these as its text, arrays as a whole; null may be among them. */
export function textIsSql(member: KnownMember, field: string, texts: readonly string[]): Fragment {
  const column = member.orders.get(field);
  if (column === undefined || has(member, "wide") || has(member, "odd")) {
    return sql`text_of(doc -> ${encodeText(field)}::text) = ANY(${texts.map(encodeText)}::text[])`;
  }
  const others = has(member, "nested") ? texts.map((text) => KIND.other + encodeText(text)) : [];
  return sql`${name(column)} = ANY(${[...keysOfTexts(texts), ...others]}::text[])`;
}

/** Whether some record has anything at the path. */
export function hasPathSql(member: KnownMember, path: Path): Fragment {
  if (isField(path) && !has(member, "odd")) return sql`doc ? ${encodeText(path.text)}`;
  return sql`has_path(doc, ${encodeText(path.text)}, ${path.segments.map(encodeText)}::text[])`;
}

/**
 * The sort key of the one value a path leads to; undefined where it may lead to several, or into a text. Arrays and objects
 * are of a kind of their own among keys, so they can be told from the rest.
 */
function keyExpression(member: KnownMember, path: Path): Fragment | undefined {
  if (has(member, "odd")) return undefined;
  const column = member.orders.get(path.text);
  if (isField(path)) {
    return column ? sql`${name(column)}` : sql`(sort_key(doc -> ${encodeText(path.text)}::text) COLLATE "C")`;
  }
  const isSingle = !has(member, "lists") && !path.segments.some(isPosition);
  return column !== undefined && isSingle ? sql`${name(column)}` : undefined;
}

/** Adds what a sort key alone cannot tell: values in arrays and objects, and texts that are longer than their key. */
function withExceptions(member: KnownMember, key: Fragment, quick: Fragment, slow: Fragment): Fragment {
  const isOther = sql`(${key} >= ${KIND.other} AND ${key} < ${KIND.null})`;
  if (has(member, "wide")) return sql`((${quick} OR ${isOther}) AND ${slow})`;
  return has(member, "nested") ? sql`(${quick} OR (${isOther} AND ${slow}))` : quick;
}

function withinSql(key: Fragment, { numbers, texts, booleans }: KeyRange, isKept: boolean): Fragment {
  const bound = isKept ? kept : (text: string): string => text;
  const parts = [numbers, texts]
    .filter(([from, to]) => from <= to)
    .map(([from, to]) => sql`(${key} >= ${bound(from)} AND ${key} <= ${bound(to)})`);
  if (booleans.length > 0) parts.push(sql`${key} = ANY(${booleans as string[]}::text[])`);
  return some(parts);
}

function judgedSome(path: Path, holds: Fragment): Fragment {
  return sql`EXISTS (SELECT FROM unnest(${judged(path)}) AS j(value),
    LATERAL (SELECT full_key(j.value) COLLATE "C" AS key) AS k WHERE ${holds})`;
}

function judged({ text, segments }: Path): Fragment {
  return sql`judged(doc, ${encodeText(text)}, ${segments.map(encodeText)}::text[])`;
}

export function all(parts: readonly Fragment[]): Fragment {
  return parts.length === 0 ? sql`true` : sql`(${join(parts, " AND ")})`;
}

export function some(parts: readonly Fragment[]): Fragment {
  return parts.length === 0 ? sql`false` : sql`(${join(parts, " OR ")})`;
}
