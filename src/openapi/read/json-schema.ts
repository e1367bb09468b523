import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { TYPES } from "../../schema/rules/keywords.ts";

const OBJECTS = ["properties", "patternProperties", "dependentRequired", "dependentSchemas"];
const LISTS = ["required", "allOf", "anyOf", "oneOf", "prefixItems"];

/**
 * A schema of OpenAPI 3.0, 3.1 or 3.2 with the keywords of JSON Schema 2020-12, as far as they have sensible values. Schemas
 * inside it are read on their own.
 */
export function asJsonSchema(schema: JsonObject): JsonObject {
  const read: JsonObject = { ...schema };
  for (const keyword of OBJECTS) if (!isJsonObject(read[keyword])) delete read[keyword];
  for (const keyword of LISTS) if (!Array.isArray(read[keyword])) delete read[keyword];
  if (Array.isArray(read.items)) delete read.items;
  readTypes(read);
  readBounds(read);
  return read;
}

function readTypes(read: JsonObject): void {
  const types = [read.type].flat().filter((type) => (TYPES as readonly unknown[]).includes(type)) as Json[];
  const isNullable = read.nullable === true && !types.includes("null");
  delete read.type;
  if (types.length > 0) read.type = isNullable ? [...types, "null"] : types;
  if (!Array.isArray(read.enum) || read.enum.length === 0) delete read.enum;
}

/** Exclusive bounds are numbers in 3.1, and in 3.0 switches beside the inclusive ones. */
function readBounds(read: JsonObject): void {
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof read[exclusive] !== "boolean") continue;
    const isExclusive = read[exclusive];
    delete read[exclusive];
    if (!isExclusive || typeof read[bound] !== "number") continue;
    read[exclusive] = read[bound];
    delete read[bound];
  }
  if (!(typeof read.multipleOf === "number" && read.multipleOf > 0)) delete read.multipleOf;
}
