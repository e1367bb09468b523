import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Placed, References } from "../../schema/references.ts";
import { isNullable, keyword, schemaFields } from "./schema-fields.ts";

/** Fields beside records that tell of what went wrong. */
const OF_FAILURES = /^(?:errors?|problems?|failures?|faults?|exceptions?)$/i;

const CODES = /^error_?(?:code|number)$/i;

/** The body of a success without the failures that a schema has a place for, unless it must have them. */
export function withoutFailures(references: References, schema: Placed | undefined, body: Json | undefined) {
  const fields = schema && schemaFields(references, schema);
  if (!fields || !isJsonObject(body)) return body;
  const value = { ...body };
  for (const [name, property] of fields.properties) {
    if (CODES.test(name) && typeof value[name] === "number" && keyword(references, property, "enum") === undefined) {
      value[name] = 0;
    }
    const held = OF_FAILURES.test(name) ? value[name] : undefined;
    if (typeof held !== "object" || held === null) continue;
    if (isNullable(references, property)) value[name] = null;
    else if (Array.isArray(held)) value[name] = [];
    else if (!fields.required.has(name)) delete value[name];
  }
  return value;
}
