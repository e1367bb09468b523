import type { Json, JsonObject } from "../../../base/json/json.ts";

/** Members of a parameter that belong into its schema. */
const OF_THE_SCHEMA = [
  "type",
  "format",
  "items",
  "default",
  "enum",
  "pattern",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "nullable",
  "example",
];

const STYLES: Readonly<Record<string, JsonObject>> = {
  csv: { style: "form", explode: false },
  multi: { style: "form", explode: true },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
};

/** A parameter that is not part of the body; none for one that is. */
export function convertParameter(parameter: JsonObject): JsonObject[] {
  if (parameter.in === "body" || parameter.in === "formData") return [];
  const { collectionFormat, ...rest } = parameter;
  const converted: JsonObject = { schema: schemaOf(parameter) };
  for (const [key, value] of Object.entries(rest)) if (!OF_THE_SCHEMA.includes(key)) converted[key] = value;
  const isList = parameter.type === "array" && parameter.in === "query";
  return [isList ? { ...converted, ...(STYLES[String(collectionFormat ?? "csv")] ?? STYLES.csv) } : converted];
}

/** The fields of a form as one schema. */
export function formSchema(fields: readonly JsonObject[]): JsonObject {
  const required = fields.filter((field) => field.required === true).map(({ name }) => String(name));
  const properties = Object.fromEntries(fields.map((field) => [String(field.name), schemaOf(field)]));
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/** The type of a parameter, a header or a form field. */
export function schemaOf(described: JsonObject): JsonObject {
  const entries = Object.entries(described).filter(([key]) => OF_THE_SCHEMA.includes(key));
  return Object.fromEntries(entries.map(([key, value]): [string, Json] => [key, value]));
}
