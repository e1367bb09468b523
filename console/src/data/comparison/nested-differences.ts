import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { differences, type FieldDifference } from "../record-diff.ts";

/** Deeper objects are compared as a whole. */
const DEEPEST = 4;

/** The fields in which two records differ; those inside of objects by their paths, such as `headquarter.lat`. */
export function nestedDifferences(before: JsonObject, after: JsonObject, depth = 1): FieldDifference[] {
  return differences(before, after).flatMap((difference) => {
    const { field, before: was, after: is } = difference;
    if (depth === DEEPEST || !hasFields(was) || !hasFields(is)) return [difference];
    return nestedDifferences(was, is, depth + 1).map((inner) => ({ ...inner, field: `${field}.${inner.field}` }));
  });
}

function hasFields(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length > 0;
}
