import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";

/** The keywords this checker knows. A schema with any other would be checked too little, so it is refused. */
const NOTES = ["$schema", "title", "description", "default"];
const KEYWORDS = [
  "type",
  "properties",
  "additionalProperties",
  "items",
  "oneOf",
  "minimum",
  "maximum",
  "minLength",
  "enum",
  "required",
  "minItems",
];

/** The violations of a JSON Schema, as paths and reasons; empty if the value is valid. */
export function problemsBySchema(schema: JsonObject, value: Json, path = "$"): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !NOTES.includes(keyword) && !KEYWORDS.includes(keyword));
  if (unknown.length > 0) throw new Error(`The checker does not know ${unknown.join(", ")} (at ${path}).`);
  const { type, oneOf, minimum, maximum, minLength, minItems, items, enum: choices } = schema;
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter((one) => problemsBySchema(one as JsonObject, value, path).length === 0);
    return fitting.length === 1 ? [] : [`${path}: fits ${fitting.length} of ${oneOf.length}`];
  }
  if (typeof type === "string" && !hasType(value, type)) return [`${path}: not of type ${type}`];
  const problems: string[] = [];
  if (typeof value === "number" && value < Number(minimum ?? -Infinity)) problems.push(`${path}: too small`);
  if (typeof value === "number" && value > Number(maximum ?? Infinity)) problems.push(`${path}: too large`);
  if (typeof value === "string" && value.length < Number(minLength ?? 0)) problems.push(`${path}: too short`);
  if (Array.isArray(value) && value.length < Number(minItems ?? 0)) problems.push(`${path}: too few`);
  if (Array.isArray(choices) && !choices.includes(value)) problems.push(`${path}: none of the choices`);
  if (Array.isArray(value) && isJsonObject(items)) {
    problems.push(...value.flatMap((element, index) => problemsBySchema(items, element, `${path}[${index}]`)));
  }
  if (isJsonObject(value)) problems.push(...problemsOfObject(schema, value, path));
  return problems;
}

function problemsOfObject(schema: JsonObject, value: JsonObject, path: string): string[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required.filter((key) => !Object.hasOwn(value, key)).map((key) => `${path}.${key}: missing`);
  const wrong = Object.entries(value).flatMap(([key, member]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property) return problemsBySchema(property, member, `${path}.${key}`);
    return schema.additionalProperties === false ? [`${path}.${key}: unknown`] : [];
  });
  return [...missing, ...wrong];
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}
