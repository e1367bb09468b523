import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { CollectionRules } from "./rules.ts";

/** The fields that no response shows. */
export function writeOnlyFields(rules: CollectionRules | undefined): ReadonlySet<string> {
  const properties = rules?.schema.properties;
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  return new Set(fields.flatMap(([name, field]) => (isJsonObject(field) && field.writeOnly === true ? name : [])));
}

export function withoutFields(value: Json, fields: ReadonlySet<string>): Json {
  if (fields.size === 0 || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
}
