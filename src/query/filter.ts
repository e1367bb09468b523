import type { Json } from "../base/json/json.ts";
import { meetsCondition } from "./condition.ts";
import type { Condition, Filter } from "./query.ts";

/** Whether a record meets a filter. */
export function meets(record: Json, filter: Filter): boolean {
  if (filter.comparison) return meetsCondition(record, filter);
  const { operator, parts } = filter;
  return operator === "and" ? parts.every((part) => meets(record, part)) : parts.some((part) => meets(record, part));
}

/** Hot path: every record that is read by its id, where rules of access apply. */
export function meetsAll(record: Json, filters: readonly Filter[] = []): boolean {
  for (const filter of filters) if (!meets(record, filter)) return false;
  return true;
}

/** The filter that keeps exactly the records this one drops. */
export function negate(filter: Filter): Filter {
  if (filter.comparison) return { ...filter, isNegated: !filter.isNegated };
  return { operator: filter.operator === "and" ? "or" : "and", parts: filter.parts.map(negate) };
}

export function isCondition(filter: Filter): filter is Condition {
  return filter.comparison !== undefined;
}

/** Whether testing a record may take long: the filter has a pattern. */
export function isSlow(filter: Filter): boolean {
  return isCondition(filter) ? filter.isSlow : filter.parts.some(isSlow);
}

/** Whether a filter keeps records that have one of some values. */
export function isEquality(filter: Filter): filter is Condition {
  return filter.comparison !== undefined && filter.comparison.index === "equality" && !filter.isNegated;
}

/** Whether a filter keeps the values of a range. */
export function isRange(filter: Filter): filter is Condition {
  return filter.comparison !== undefined && filter.comparison.index === "range" && !filter.isNegated;
}

/** Whether a filter is ignored when no record has its field. */
export function isIgnorable(filter: Filter): filter is Condition {
  return isCondition(filter) && filter.isPlain === true && !filter.isFromPath;
}

/** The paths of the filters that were left out; undefined if there are none. */
export function ignoredPaths(where: readonly Filter[], kept: readonly Filter[]): string[] | undefined {
  if (kept.length === where.length) return undefined;
  const left = where.filter((filter) => !kept.includes(filter));
  return left.flatMap(conditionsIn).map(({ path }) => path.text);
}

/** All conditions of a filter, however it combines them. */
export function conditionsIn(filter: Filter): readonly Condition[] {
  return isCondition(filter) ? [filter] : filter.parts.flatMap(conditionsIn);
}

/** The filters that a conjunction consists of, so that each of them can use an index. */
export function conjunctsOf(filter: Filter): readonly Filter[] {
  if (isCondition(filter)) return [filter];
  const [only, ...more] = filter.parts;
  if (filter.operator === "and" || (only && more.length === 0)) return filter.parts.flatMap(conjunctsOf);
  return [filter];
}

/** A filter as plain JSON: if it is equal for two filters, they keep the same records. */
export function outlineOf(filter: Filter): Json {
  if (!isCondition(filter)) return [filter.operator, filter.parts.map(outlineOf)];
  const { operator, path, values, isNegated = false, isPlain = false, isFromPath = false } = filter;
  return [operator, path.text, isNegated, isPlain, isFromPath, [...values]];
}
