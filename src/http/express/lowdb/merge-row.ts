import { isJsonObject, type Json } from "../../../base/json/json.ts";
import { copyJson, put, sameJson } from "./same-json.ts";

/**
 * Updates a row with its record, in place, so that references to it stay valid. Fields that were changed in the row but not
 * in the record keep their value. Returns the row, or a copy of the record if the row cannot be updated.
 */
export function mergeRow(row: unknown, before: Json, after: Json): unknown {
  if (!isJsonObject(row) || !isJsonObject(before) || !isJsonObject(after)) return copyJson(after);
  if (sameJson(row, after)) return row;
  if (sameJson(row, before)) return replaceFields(row, before, after);
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) delete row[key];
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key) || !sameJson(before[key], value)) put(row, key, copyJson(value));
  }
  return row;
}

/** Replaces all fields, in the order of `after`; equal values stay the same objects. */
function replaceFields(row: object, before: object, after: Readonly<Record<string, Json>>): object {
  const previous = { ...row } as Record<string, unknown>;
  for (const key of Object.keys(before)) delete (row as Record<string, unknown>)[key];
  for (const [key, value] of Object.entries(after)) {
    const isEqual = Object.hasOwn(previous, key) && sameJson(previous[key], value);
    put(row, key, isEqual ? previous[key] : copyJson(value));
  }
  return row;
}
