import { isJsonObject, type Json } from "../json.ts";
import { copyJson, put, sameJson } from "./same-json.ts";

/**
 * Brings a row up to date with its record, in place, so that references to it stay live. Fields that were changed in the
 * row but not in the record keep their value. Gives back the row, or a copy of the record where it cannot be changed.
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

/** All of them, in the order of `after`; values that are the same stay the same objects. */
function replaceFields(row: object, before: object, after: Readonly<Record<string, Json>>): object {
  const former = { ...row } as Record<string, unknown>;
  for (const key of Object.keys(before)) delete (row as Record<string, unknown>)[key];
  for (const [key, value] of Object.entries(after)) {
    const isKept = Object.hasOwn(former, key) && sameJson(former[key], value);
    put(row, key, isKept ? former[key] : copyJson(value));
  }
  return row;
}
