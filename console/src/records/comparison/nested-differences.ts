import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { differences, type FieldDifference } from "../record-diff.ts";

/** Deeper values are compared as a whole. */
const DEEPEST = 4;

/**
 * The fields in which two records differ; those inside of objects and lists by their paths, such as `headquarter.lat` and
 * `lines[1].quantity`.
 */
export function nestedDifferences(before: JsonObject, after: JsonObject): FieldDifference[] {
  return differences(before, after).flatMap((difference) => inside(difference, 1));
}

function inside(difference: FieldDifference, depth: number): FieldDifference[] {
  const { field, before, after } = difference;
  if (depth === DEEPEST) return [difference];
  if (hasFields(before) && hasFields(after)) {
    return differences(before, after).flatMap((inner) =>
      inside({ ...inner, field: `${field}.${inner.field}` }, depth + 1),
    );
  }
  if (!hasObjects(before) || !hasObjects(after)) return [difference];
  const elements = differences({ ...before }, { ...after });
  // Where one was inserted or removed, each of those behind it differs.
  if (before.length !== after.length && elements.length > Math.max(before.length, after.length) / 2)
    return [difference];
  return elements.flatMap((inner) => inside({ ...inner, field: `${field}[${inner.field}]` }, depth + 1));
}

function hasFields(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** A list of bare values is read at a glance; one of objects is not. */
function hasObjects(value: Json | undefined): value is Json[] & JsonObject {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}
