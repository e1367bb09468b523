import type { Path } from "../../../query/path.ts";
import type { Condition, SortKey } from "../../../query/query.ts";
import { hasTrait, isField, isPosition, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { containedForms } from "./containment.ts";
import { type Fragment, join, name, sql } from "./fragment.ts";
import { intersection, type KeyRange, KIND, keyRange, keysOfTexts, truncateKey, truncateRange } from "./sort-key.ts";

/**
 * A condition as SQL. Each has a slow form that is always right, by the function `judged`, and quick ones for common data:
 * by the sort key of a field, or by containment, which the index on whole records supports.
 */
export function conditionSql(member: KnownMember, condition: Condition): Fragment {
  return condition.operator === "ne" ? noneEqual(member, condition) : equal(member, condition);
}

/** All range conditions on one path: for a value that is not an array they form one range. */
export function rangeSql(member: KnownMember, conditions: readonly Condition[]): Fragment {
  const ranges = conditions.map(({ operator, values }) => keyRange(operator as "gte" | "lte", values));
  const { path } = conditions[0]!;
  const slow = all(ranges.map((range) => judgedSome(path, withinSql(sql`key`, range))));
  const key = keyExpression(member, path);
  if (!key) return slow;
  const range = ranges.reduce(intersection);
  const quick = withinSql(key, hasTrait(member, "longText") ? truncateRange(range) : range);
  return withExceptions({ member, key, quick, slow });
}

/** The slots of the records in a range, if an index alone can find them: one scan of it for each kind of value. */
export function rangeHits(member: KnownMember, conditions: readonly Condition[]): Fragment | undefined {
  const { path } = conditions[0]!;
  const column = member.sortColumns.get(path.text);
  const isPlain =
    !hasTrait(member, "longText") && !hasTrait(member, "nested") && !hasTrait(member, "nonObject") && isField(path);
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
  const isDeclared = member.sortColumns.has(path.text);
  const forms = isDeclared ? undefined : containedForms(member, path, values);
  if (forms) {
    const contained = some(forms.map((form) => sql`doc @> ${form}::text::jsonb`));
    return isField(path) ? contained : sql`(${contained} AND ${slow})`;
  }
  const key = keyExpression(member, path);
  if (!key) return slow;
  return withExceptions({ member, key, quick: sql`${key} = ANY(${keys.map(truncateKey)}::text[])`, slow });
}

function noneEqual(member: KnownMember, { path, values }: Condition): Fragment {
  const keys = keysOfTexts(values);
  const slowEqual = judgedSome(path, sql`key = ANY(${keys}::text[])`);
  const key = hasTrait(member, "longText") ? undefined : keyExpression(member, path);
  if (!key) return sql`(cardinality(${judged(path)}) > 0 AND NOT ${slowEqual})`;
  const quick = sql`(${key} < ${KIND.null} AND ${key} <> ALL(${keys}::text[]))`;
  return hasTrait(member, "nested") ? sql`(${quick} AND (${key} < ${KIND.other} OR NOT ${slowEqual}))` : quick;
}

/** Whether the text of a tested value matches one of the patterns; for records of plain ASCII. */
export function likeSql(member: KnownMember, path: Path, patterns: readonly string[]): Fragment {
  const slow = sql`EXISTS (SELECT FROM unnest(${judged(path)}) AS j(value)
    WHERE (text_of(j.value) COLLATE "C") ~* ANY(${patterns as string[]}::text[]))`;
  if (!isField(path) || hasTrait(member, "nonObject")) return slow;
  const value = sql`(doc -> ${encodeText(path.text)}::text)`;
  const text = sql`CASE jsonb_typeof(${value}) WHEN 'string' THEN ${value} #>> '{}'
    WHEN 'number' THEN text_of(${value}) WHEN 'boolean' THEN text_of(${value}) END`;
  const quick = sql`((${text}) COLLATE "C") ~* ANY(${patterns as string[]}::text[])`;
  return hasTrait(member, "nested")
    ? sql`(${quick} OR (jsonb_typeof(${value}) IN ('array', 'object') AND ${slow}))`
    : quick;
}

/** The sort expressions of a path: its column, and the computed key where there is none or its keys are truncated. */
export function orderSql(member: KnownMember, { path }: SortKey): Fragment[] {
  const column = member.sortColumns.get(path.text);
  const value = isField(path)
    ? sql`doc -> ${encodeText(path.text)}::text`
    : sql`value_at(doc, ${encodeText(path.text)}, ${path.segments.map(encodeText)}::text[])`;
  const full = sql`(full_key(${value}) COLLATE "C")`;
  if (column === undefined) return [full];
  return hasTrait(member, "longText") ? [sql`${name(column)}`, full] : [sql`${name(column)}`];
}

/** Whether a field of the record itself has one of these texts. Tests an array as a whole, and may include null. */
export function textIsSql(member: KnownMember, field: string, texts: readonly string[]): Fragment {
  const column = member.sortColumns.get(field);
  if (column === undefined || hasTrait(member, "longText") || hasTrait(member, "nonObject")) {
    return sql`text_of(doc -> ${encodeText(field)}::text) = ANY(${texts.map(encodeText)}::text[])`;
  }
  const others = hasTrait(member, "nested") ? texts.map((text) => KIND.other + encodeText(text)) : [];
  return sql`${name(column)} = ANY(${[...keysOfTexts(texts), ...others]}::text[])`;
}

/** Whether any record has a value at the path. */
export function hasPathSql(member: KnownMember, path: Path): Fragment {
  if (isField(path) && !hasTrait(member, "nonObject")) return sql`doc ? ${encodeText(path.text)}`;
  return sql`has_path(doc, ${encodeText(path.text)}, ${path.segments.map(encodeText)}::text[])`;
}

/**
 * The sort key of the value at a path; undefined where the path may lead to several values, or into a text. Keys of arrays
 * and objects have a kind of their own.
 */
function keyExpression(member: KnownMember, path: Path): Fragment | undefined {
  if (hasTrait(member, "nonObject")) return undefined;
  const column = member.sortColumns.get(path.text);
  if (isField(path)) {
    return column ? sql`${name(column)}` : sql`(sort_key(doc -> ${encodeText(path.text)}::text) COLLATE "C")`;
  }
  const isSingle = !hasTrait(member, "arrays") && !path.segments.some(isPosition);
  return column !== undefined && isSingle ? sql`${name(column)}` : undefined;
}

interface QuickCondition {
  readonly member: KnownMember;
  readonly key: Fragment;
  readonly quick: Fragment;
  readonly slow: Fragment;
}

/** Applies the slow form where sort keys do not suffice: to values in arrays and objects, and to truncated texts. */
function withExceptions({ member, key, quick, slow }: QuickCondition): Fragment {
  const isOther = sql`(${key} >= ${KIND.other} AND ${key} < ${KIND.null})`;
  if (hasTrait(member, "longText")) return sql`((${quick} OR ${isOther}) AND ${slow})`;
  return hasTrait(member, "nested") ? sql`(${quick} OR (${isOther} AND ${slow}))` : quick;
}

function withinSql(key: Fragment, { numbers, texts, booleans }: KeyRange): Fragment {
  const parts = [numbers, texts]
    .filter(([from, to]) => from <= to)
    .map(([from, to]) => sql`(${key} >= ${from} AND ${key} <= ${to})`);
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
