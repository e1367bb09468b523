import { isSameJson, type Json, type JsonObject, ownValue } from "../api/json.ts";

export interface FieldDifference {
  readonly field: string;
  /** Undefined: the field is not there. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The fields in which two records differ, in the order in which a reader meets them. */
export function differences(before: JsonObject, after: JsonObject): FieldDifference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: ownValue(before, field), after: ownValue(after, field) }))
    .filter((difference) => !isSameJson(difference.before, difference.after));
}

/** The smallest request that turns one record into the other; undefined when they say the same. */
export function changeRequest(
  before: JsonObject,
  after: JsonObject,
): { method: "PATCH" | "PUT"; body: JsonObject } | undefined {
  const changed = differences(before, after);
  if (changed.length === 0) return undefined;
  // A patch cannot take a field away.
  if (changed.some((difference) => difference.after === undefined)) return { method: "PUT", body: after };
  return {
    method: "PATCH",
    body: Object.fromEntries(changed.map(({ field, after: value }) => [field, value as Json])),
  };
}

/** Applies my changes since `base` to the current record. */
export function mergeOnto(theirs: JsonObject, base: JsonObject, mine: JsonObject): JsonObject {
  const merged = { ...theirs };
  for (const { field, after } of differences(base, mine)) {
    if (after === undefined) delete merged[field];
    else merged[field] = after;
  }
  return merged;
}
