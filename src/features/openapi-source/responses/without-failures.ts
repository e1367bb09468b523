import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { isNullable, keyword, type SchemaFields, schemaFields } from "../schema-fields.ts";

/** Fields beside records that tell of what went wrong. */
const OF_FAILURES = /^(?:errors?|problems?|failures?|faults?|exceptions?)$/i;

const CODES = /^error_?(?:code|number)$/i;

const SUCCEEDED = /^(?:is_?)?(?:success|successful|succeeded|ok)$/i;
const FAILED = /^(?:is_?|has_?)?(?:errors?|failed|failure)$/i;
const OF_STATUS = /^(?:status|result|outcome)$/i;
const BAD = /^(?:err(?:or)?|fail(?:ed|ure)?|ko|nok)$/i;
const GOOD = /^(?:ok|success|successful|succeeded)$/i;
/** `{ "meta": { "code": 200 } }` */
const MAX_DEPTH = 2;

/** The body of a success without the failures that a schema has a place for, unless it must have them. */
export function withoutFailures(
  references: References,
  schema: Placed | undefined,
  { body, status }: { readonly body: Json | undefined; readonly status: number },
): Json | undefined {
  const fields = schema && schemaFields(references, schema);
  if (!fields || !isJsonObject(body)) return body;
  const value = successful(references, fields, { body, status, depth: 0 });
  for (const [name, property] of fields.properties) {
    if (CODES.test(name) && typeof value[name] === "number" && keyword(references, property, "enum") === undefined) {
      value[name] = 0;
    }
    const held = OF_FAILURES.test(name) ? value[name] : undefined;
    if (typeof held !== "object" || held === null) continue;
    if (isNullable(references, property)) value[name] = null;
    else if (Array.isArray(held) && !isNeverEmpty(references, property)) value[name] = [];
    else if (!fields.required.has(name)) delete value[name];
  }
  return value;
}

/** Flags, words and HTTP statuses around a record as a success has them. */
function successful(
  references: References,
  { properties }: SchemaFields,
  { body, status, depth }: { readonly body: JsonObject; readonly status: number; readonly depth: number },
): JsonObject {
  const value = { ...body };
  for (const [name, property] of properties) {
    const held = value[name];
    const allowed = keyword(references, property, "enum");
    if (typeof held === "boolean" && allowed === undefined) {
      if (SUCCEEDED.test(name)) value[name] = true;
      else if (FAILED.test(name)) value[name] = false;
    } else if (typeof held === "number" && isHttpStatus(references, name, property)) {
      value[name] = status;
    } else if (typeof held === "string" && OF_STATUS.test(name) && BAD.test(held)) {
      const good = Array.isArray(allowed) ? allowed.find((one) => GOOD.test(String(one))) : "ok";
      if (good !== undefined) value[name] = good;
    } else if (isJsonObject(held) && depth < MAX_DEPTH) {
      const inner = schemaFields(references, property);
      if (inner) value[name] = successful(references, inner, { body: held, status, depth: depth + 1 });
    }
  }
  return value;
}

function isNeverEmpty(references: References, property: Placed): boolean {
  return Number(keyword(references, property, "minItems") ?? 0) > 0;
}

/** "HTTP result code" */
function isHttpStatus(references: References, name: string, property: Placed): boolean {
  if (/^http_?(?:status_?)?(?:code|status)$/i.test(name)) return true;
  const description = keyword(references, property, "description");
  return /^(?:status_?)?(?:code|status)$/i.test(name) && /\bHTTP\b/.test(String(description));
}
