import type { Path } from "../../../query/path.ts";
import type { Condition, ConditionSql, Filter, SortKey } from "../../../query/query.ts";
import { hasTrait, isField, isPosition, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { containedForms, listForms } from "./containment.ts";
import { constant, type Fragment, join, name, sql } from "./fragment.ts";
import { translatePattern } from "./pattern.ts";
import { intersection, type KeyRange, KIND, keyRange, keysOfTexts, truncateKey, truncateRange } from "./sort-key.ts";

/**
 * A filter as SQL that is never NULL; undefined if the database cannot test it. Patterns are those of records of plain
 * ASCII.
 *
 * Each condition has a slow form that is always right, by functions of the database, and quick ones for common data: by the
 * sort key of a field, or by containment, which the index on whole records supports.
 */
export function filterSql(member: KnownMember, filter: Filter): Fragment | undefined {
  if (!filter.comparison) {
    const parts = filter.parts.map((part) => filterSql(member, part));
    if (!parts.every((part) => part !== undefined)) return undefined;
    return filter.operator === "and" ? all(parts) : some(parts);
  }
  const condition = filter.comparison.sql(new MemberSql(member), filter);
  return condition && filter.isNegated ? sql`(${condition}) IS NOT TRUE` : condition;
}

/** The tests on the records of a collection. */
export class MemberSql implements ConditionSql<Fragment> {
  readonly sql = sql;
  readonly constant = constant;
  readonly objectsAt = (path: Path): Fragment => objectsAt(this.#member, path);
  readonly #member: KnownMember;

  constructor(member: KnownMember) {
    this.#member = member;
  }

  isAnyOf(condition: Condition): Fragment {
    return equal(this.#member, condition);
  }

  isNoneOf(condition: Condition): Fragment {
    return noneEqual(this.#member, condition);
  }

  isWithin(condition: Condition): Fragment {
    return rangeSql(this.#member, [condition]);
  }

  isLike(condition: Condition, before: string, after: string): Fragment {
    return partSql(this.#member, condition, [before, after]);
  }

  matches({ path, values }: Condition): Fragment | undefined {
    const patterns = values.map(translatePattern);
    return patterns.every((one) => one !== undefined) ? likeSql(this.#member, path, patterns) : undefined;
  }

  isNull(condition: Condition): Fragment {
    return nullSql(this.#member, condition);
  }
}

/** Range conditions on one path. */
export type Ranges = readonly [Condition, ...Condition[]];

/** All range conditions on one path: for a value that is not an array they form one range. */
export function rangeSql(member: KnownMember, conditions: Ranges): Fragment {
  const [{ path }] = conditions;
  const slow = all(
    conditions.map((condition) => {
      const within = withinSql(sql`key`, keyRange(condition));
      return condition.comparison.bound?.isStrict ? reachedSome(path, within) : judgedSome(path, within);
    }),
  );
  const key = keyExpression(member, path);
  if (!key) return slow;
  const range = conditions.map(keyRange).reduce(intersection);
  const quick = withinSql(key, hasTrait(member, "longText") ? truncateRange(range) : range);
  return withExceptions({ member, key, quick, slow });
}

/** The slots of the records in a range, if an index alone can find them: one scan of it for each kind of value. */
export function rangeHits(member: KnownMember, conditions: Ranges): Fragment | undefined {
  const [{ path }] = conditions;
  const column = member.sortColumns.get(path.text);
  const isPlain =
    !hasTrait(member, "longText") && !hasTrait(member, "nested") && !hasTrait(member, "nonObject") && isField(path);
  if (column === undefined || !isPlain) return undefined;
  const { numbers, texts, booleans } = conditions.map(keyRange).reduce(intersection);
  const key = name(column);
  const parts = [numbers, texts]
    .filter(isNotEmpty)
    .map(
      ([from, end]) => sql`SELECT ${key}, slot FROM ${name(member.table)} WHERE ${key} >= ${from} AND ${key} < ${end}`,
    );
  for (const one of booleans) parts.push(sql`SELECT ${key}, slot FROM ${name(member.table)} WHERE ${key} = ${one}`);
  return parts.length === 0 ? undefined : join(parts, " UNION ALL ");
}

/** Compares like the database: by code unit, because keys are coded. */
function isNotEmpty([from, end]: readonly [string, string]): boolean {
  return from < end;
}

/** Whether a text at the path has one of the parts, in records of plain ASCII. */
function partSql(member: KnownMember, { path, values }: Condition, around: readonly string[]): Fragment {
  const patterns = values.map((value) => around.join(encodeText(value.toLowerCase()).replace(/[\\%_]/g, "\\$&")));
  const slow = sql`EXISTS (SELECT FROM unnest(${reached(path)}) AS r(value), unnest(texts_in(r.value)) AS t(text)
    WHERE lower(t.text COLLATE "C") LIKE ANY(${patterns}::text[]))`;
  if (!isField(path) || hasTrait(member, "nonObject")) return slow;
  const value = sql`(doc -> ${encodeText(path.text)}::text)`;
  const quick = sql`lower((${value} #>> '{}') COLLATE "C") LIKE ANY(${patterns}::text[])`;
  const isArray = hasTrait(member, "arrays") ? sql` WHEN 'array' THEN ${slow}` : sql``;
  return sql`(CASE jsonb_typeof(${value}) WHEN 'string' THEN ${quick}${isArray} ELSE false END)`;
}

/** Whether there is no value at the path, or any, as the condition asks. */
function nullSql(member: KnownMember, { path, holds }: Condition): Fragment {
  if (holds(true) && holds(false)) return sql`true`;
  const isNull =
    isField(path) && !hasTrait(member, "nonObject")
      ? sql`coalesce(jsonb_typeof(doc -> ${encodeText(path.text)}::text), 'null') = 'null'`
      : sql`NOT EXISTS (SELECT FROM unnest(${reached(path)}) AS r(value) WHERE jsonb_typeof(r.value) <> 'null')`;
  return holds(true) ? sql`(${isNull})` : sql`(NOT (${isNull}))`;
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
function likeSql(member: KnownMember, path: Path, patterns: readonly string[]): Fragment {
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
export function orderSql(member: KnownMember, { path, order }: SortKey): OrderExpression[] {
  if (order) {
    const computed = order.sql(new MemberSql(member));
    return [{ expression: sql`(full_key(to_jsonb(${computed})) COLLATE "C")`, isTruncated: false }];
  }
  const column = member.sortColumns.get(path.text);
  const full = sql`(full_key(${valueSql(path)}) COLLATE "C")`;
  if (column === undefined) return [{ expression: full, isTruncated: false }];
  const stored = { expression: sql`${name(column)}`, isTruncated: true };
  return hasTrait(member, "longText") ? [stored, { expression: full, isTruncated: false }] : [stored];
}

interface OrderExpression {
  readonly expression: Fragment;
  readonly isTruncated: boolean;
}

/** The single value at a path, by which a record is sorted and grouped; NULL where there is none. */
export function valueSql(path: Path): Fragment {
  return isField(path)
    ? sql`doc -> ${encodeText(path.text)}::text`
    : sql`value_at(doc, ${encodeText(path.text)}, ${path.segments.map(encodeText)}::text[])`;
}

/**
 * Whether a field of the record itself has one of these texts. Tests an array as a whole, and may include null and numbers
 * near an exact one.
 */
export function textIsSql(member: KnownMember, field: string, texts: readonly string[]): Fragment {
  const column = member.sortColumns.get(field);
  if (column === undefined || hasTrait(member, "longText") || hasTrait(member, "nonObject")) {
    return sql`text_of(doc -> ${encodeText(field)}::text) = ANY(${texts.map(encodeText)}::text[])`;
  }
  const others = hasTrait(member, "nested") ? texts.map((text) => KIND.other + encodeText(text)) : [];
  return sql`${name(column)} = ANY(${[...keysOfTexts(texts), ...others]}::text[])`;
}

/** Above this many texts, testing every record is faster than looking each of them up. */
const MAX_LOOKED_UP = 500;

/** Whether a list in a field of the record itself, or its single value, has an element with one of these texts. */
export function listHasSql(field: string, texts: readonly string[]): Fragment {
  if (texts.length <= MAX_LOOKED_UP) return sql`doc @> ANY(${listForms(field, texts)}::text[]::jsonb[])`;
  const value = sql`(doc -> ${encodeText(field)}::text)`;
  return sql`EXISTS (SELECT FROM jsonb_array_elements(CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value}
    ELSE jsonb_build_array(${value}) END) AS e(value) WHERE text_of(e.value) = ANY(${texts.map(encodeText)}::text[]))`;
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
  const parts = [numbers, texts].filter(isNotEmpty).map(([from, end]) => sql`(${key} >= ${from} AND ${key} < ${end})`);
  if (booleans.length > 0) parts.push(sql`${key} = ANY(${booleans as string[]}::text[])`);
  return some(parts);
}

function judgedSome(path: Path, holds: Fragment): Fragment {
  return sql`EXISTS (SELECT FROM unnest(${judged(path)}) AS j(value),
    LATERAL (SELECT full_key(j.value) COLLATE "C" AS key) AS k WHERE ${holds})`;
}

/** As `judgedSome`, without the joined texts of arrays. */
function reachedSome(path: Path, holds: Fragment): Fragment {
  return sql`EXISTS (SELECT FROM unnest(${reached(path)}) AS r(value), unnest(leaves(r.value)) AS j(value),
    LATERAL (SELECT full_key(j.value) COLLATE "C" AS key) AS k WHERE ${holds})`;
}

/** A table of the objects at a path, also of those in arrays at any depth. */
function objectsAt(member: KnownMember, path: Path): Fragment {
  if (!hasTrait(member, "nestedArrays"))
    return sql`(SELECT e.value FROM unnest(${reached(path)}) AS r(value), jsonb_path_query(r.value, '$[*]') AS e(value)
      WHERE jsonb_typeof(e.value) = 'object') AS o(value)`;
  return sql`(WITH RECURSIVE inside(value) AS (SELECT unnest(${reached(path)}) UNION ALL
    SELECT e.value FROM inside AS i, jsonb_path_query(i.value, '$[*]') AS e(value) WHERE jsonb_typeof(i.value) = 'array')
    SELECT value FROM inside WHERE jsonb_typeof(value) = 'object') AS o(value)`;
}

function reached({ text, segments }: Path): Fragment {
  return sql`reached(doc, ${encodeText(text)}, ${segments.map(encodeText)}::text[])`;
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
