import type { JsonObject } from "../../../base/json/json.ts";
import type { Schema } from "../../references.ts";

const TYPING = ["type", "enum", "const", "$ref", "$dynamicRef", "items", "prefixItems", "format"];
const LISTS = ["allOf", "anyOf", "oneOf"];
const MAPS = ["properties", "patternProperties"];

/** Whether a schema says something about the type of a value, rather than about its size or the presence of fields. */
export function isTyping(schema: Schema): boolean {
  if (typeof schema === "boolean") return !schema;
  if (TYPING.some((keyword) => schema[keyword] !== undefined)) return true;
  const lists = LISTS.flatMap((keyword) => (schema[keyword] ?? []) as Schema[]);
  const maps = MAPS.flatMap((keyword) => Object.values((schema[keyword] ?? {}) as JsonObject) as Schema[]);
  const others = (schema.additionalProperties ?? true) as Schema;
  return [...lists, ...maps, others].some(isTyping);
}
