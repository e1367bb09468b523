import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";

/** The JSON Schema that all these values fit: types seen, properties seen, and those that none lacks as required. */
export function inferSchema(values: readonly Json[]): JsonObject {
  const types = [...new Set(values.map(typeOf))].filter((type) => !(type === "integer" && hasFraction(values)));
  const schema: JsonObject = types.length === 1 ? { type: types[0]! } : types.length > 1 ? { type: types } : {};
  const objects = values.filter(isJsonObject);
  if (objects.length > 0) {
    const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
    const properties = names.map((name) => {
      const present = objects.filter((object) => Object.hasOwn(object, name));
      return [name, inferSchema(present.map((object) => object[name]!))];
    });
    schema.properties = Object.fromEntries(properties);
    const required = names.filter((name) => objects.every((object) => Object.hasOwn(object, name)));
    if (required.length > 0) schema.required = required;
  }
  const lists = values.filter((value) => Array.isArray(value));
  if (lists.length > 0) schema.items = inferSchema(lists.flat());
  return schema;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Whole numbers beside others are just numbers. */
function hasFraction(values: readonly Json[]): boolean {
  return values.some((value) => typeof value === "number" && !Number.isInteger(value));
}
