import { isJsonObject, type Json } from "../../base/json/json.ts";

/** The types of JSON Schema. */
export const TYPES = ["null", "boolean", "object", "array", "number", "integer", "string"] as const;

/** How the values of a keyword look. Those with "schema" in their name hold schemas. */
export type KeywordForm =
  | "any"
  | "boolean"
  | "string"
  | "number"
  | "positive"
  | "count"
  | "strings"
  | "string lists"
  | "types"
  | "list"
  | "non-empty list"
  | "object"
  | "schema"
  | "schema list"
  | "schema map"
  | "definitions";

/** The keywords of JSON Schema 2020-12. */
export const KEYWORDS: Readonly<Record<string, KeywordForm>> = {
  $schema: "string",
  $id: "string",
  $ref: "string",
  $anchor: "string",
  $dynamicRef: "string",
  $dynamicAnchor: "string",
  $comment: "string",
  $defs: "definitions",
  definitions: "definitions",
  title: "string",
  description: "string",
  default: "any",
  examples: "list",
  deprecated: "boolean",
  readOnly: "boolean",
  writeOnly: "boolean",
  contentEncoding: "string",
  contentMediaType: "string",
  contentSchema: "object",
  type: "types",
  enum: "non-empty list",
  const: "any",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "positive",
  minLength: "count",
  maxLength: "count",
  pattern: "string",
  format: "string",
  minItems: "count",
  maxItems: "count",
  uniqueItems: "boolean",
  minContains: "count",
  maxContains: "count",
  items: "schema",
  prefixItems: "schema list",
  contains: "schema",
  unevaluatedItems: "schema",
  minProperties: "count",
  maxProperties: "count",
  required: "strings",
  dependentRequired: "string lists",
  properties: "schema map",
  patternProperties: "schema map",
  additionalProperties: "schema",
  propertyNames: "schema",
  dependentSchemas: "schema map",
  unevaluatedProperties: "schema",
  allOf: "schema list",
  anyOf: "schema list",
  oneOf: "schema list",
  not: "schema",
  if: "schema",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: "schema",
  else: "schema",
};

/** Keywords of other drafts and of OpenAPI 3.0, with what 2020-12 has in their place. */
export const FOREIGN_KEYWORDS: Readonly<Record<string, string>> = {
  additionalItems: "use items, with prefixItems for the first elements",
  dependencies: "use dependentRequired or dependentSchemas",
  id: "use $id",
  nullable: 'add "null" to type, such as ["string", "null"]',
  example: "use examples, a list",
  discriminator: "use oneOf with a const in each schema",
  $recursiveRef: "use $dynamicRef",
  $recursiveAnchor: "use $dynamicAnchor",
  divisibleBy: "use multipleOf",
  extends: "use allOf",
};

interface FormCheck {
  readonly holds: (value: Json) => boolean;
  /** Follows "must be". */
  readonly words: string;
}

const isSchema = (value: Json): boolean => isJsonObject(value) || typeof value === "boolean";
const isSchemaMap = (value: Json): boolean => isJsonObject(value) && Object.values(value).every(isSchema);
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
const isType = (value: Json): boolean => (TYPES as readonly Json[]).includes(value);

export const FORMS: Readonly<Record<KeywordForm, FormCheck>> = {
  any: { holds: () => true, words: "any value" },
  boolean: { holds: (value) => typeof value === "boolean", words: "true or false" },
  string: { holds: (value) => typeof value === "string", words: "a string" },
  number: { holds: (value) => typeof value === "number", words: "a number" },
  positive: { holds: (value) => typeof value === "number" && value > 0, words: "a number greater than 0" },
  count: { holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0, words: "a whole number from 0" },
  strings: { holds: isTexts, words: "a list of strings" },
  "string lists": {
    holds: (value) => isJsonObject(value) && Object.values(value).every(isTexts),
    words: "an object of lists of strings",
  },
  types: {
    holds: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    words: `one of ${TYPES.join(", ")}, or a list of them`,
  },
  list: { holds: (value) => Array.isArray(value), words: "a list" },
  "non-empty list": {
    holds: (value) => Array.isArray(value) && value.length > 0,
    words: "a list with at least one value",
  },
  object: { holds: isSchema, words: "a schema" },
  schema: { holds: isSchema, words: "a schema: an object, true or false" },
  "schema list": {
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
    words: "a list of schemas with at least one",
  },
  "schema map": { holds: isSchemaMap, words: "an object of schemas" },
  definitions: { holds: isSchemaMap, words: "an object of schemas" },
};
