import { type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";

/** A text that equal JSON values share, and only they: fields in the order of their names. */
export function canonicalText(value: Json): string {
  if (typeof value !== "object" || value === null) return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText((value as JsonObject)[name]!)}`).join(",")}}`;
}
