import type { Json } from "../../../base/json/json.ts";

/** Their members have names that people choose, which are no keywords. */
const NAMED = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "$defs",
  "schemas",
  "parameters",
  "responses",
  "headers",
]);
/** Keywords whose values are data, not schemas. */
const VALUES = new Set(["default", "enum", "const", "example", "value"]);

/** Whether the members of what stands at this key have names of their own; not where the key itself is such a name. */
export function hasNames(key: string, isName: boolean): boolean {
  return !isName && NAMED.has(key);
}

/** Whether a keyword holds data, in which nothing else has a meaning. */
export function isValueKey(key: string, value: Json): boolean {
  return VALUES.has(key) || (key === "examples" && Array.isArray(value)) || key.startsWith("x-");
}
