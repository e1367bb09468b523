import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";

/** Keywords of 3.1 without a counterpart: the older schema allows a little more. */
const DROPPED = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$comment",
  "$defs",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  "propertyNames",
  "patternProperties",
  "prefixItems",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentMediaType",
  "contentSchema",
]);
/** Members whose values are data, whatever they look like. */
const DATA = new Set(["example", "examples", "default", "enum", "const"]);

/**
 * An OpenAPI 3.1 document as version 3.0, for generators that read no other; one of that version stays as it is. May pause
 * after each path and schema.
 */
export function* asVersion30(document: JsonObject): Work<JsonObject> {
  if (typeof document.openapi !== "string" || document.openapi.startsWith("3.0")) return document;
  const { webhooks: _webhooks, jsonSchemaDialect: _dialect, ...rest } = document;
  const { components, info, paths } = rest;
  const { schemas, pathItems: _pathItems, ...others } = isJsonObject(components) ? components : {};
  return {
    ...(convertAll({ ...rest, ...(components && { components: {} }), ...(paths && { paths: {} }) }) as JsonObject),
    openapi: "3.0.3",
    ...(isJsonObject(info) && { info: withoutNews(info) }),
    ...(paths !== undefined && { paths: isJsonObject(paths) ? yield* mapInSteps(paths, convertAll) : paths }),
    ...(isJsonObject(components) && {
      components: {
        ...mapValues(others, convertAll),
        ...(isJsonObject(schemas) && { schemas: yield* mapInSteps(schemas, schemaOf) }),
      },
    }),
  };
}

/** `summary`, and licences named by their identifier, came with 3.1. */
function withoutNews({ summary: _summary, license, ...info }: JsonObject): JsonObject {
  if (!isJsonObject(license)) return info;
  const { identifier: _identifier, ...known } = license;
  return { ...info, license: known };
}

/** Converts the schemas within anything but a schema. */
function convertAll(value: Json): Json {
  if (Array.isArray(value)) return value.map(convertAll);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === "schema" && isSchemaIn(value)) return [key, schemaOf(member)];
      return [key, DATA.has(key) ? member : convertAll(member)];
    }),
  );
}

/** A parameter, header or body has its schema under that name; a map from names may have a member of any kind there. */
function isSchemaIn(holder: JsonObject): boolean {
  const { schema } = holder;
  return isJsonObject(schema) ? !("schema" in schema || "content" in schema) : typeof schema === "boolean";
}

function schemaOf(schema: Json): JsonObject {
  if (!isJsonObject(schema)) return schema === false ? { not: {} } : {};
  const { $ref, ...siblings } = schema;
  if ($ref === undefined) return plainSchema(schema);
  // Nothing may stand beside a reference.
  return Object.keys(siblings).length === 0 ? { $ref } : { allOf: [{ $ref }], ...plainSchema(siblings) };
}

function plainSchema(schema: JsonObject): JsonObject {
  const older: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!DROPPED.has(key)) Object.assign(older, convertKeyword(key, value as Json, schema));
  }
  if (older.type === "array" && older.items === undefined) older.items = itemsOf(schema.prefixItems);
  if (older.additionalProperties === false && schema.patternProperties !== undefined) delete older.additionalProperties;
  return older;
}

function convertKeyword(key: string, value: Json, schema: JsonObject): JsonObject {
  switch (key) {
    case "type":
      return typeOf(value);
    case "const":
      return value === null ? { nullable: true, enum: [null] } : { enum: [value] };
    case "enum":
      return { enum: value, ...(Array.isArray(value) && value.includes(null) && { nullable: true }) };
    case "examples":
      return Array.isArray(value) && value.length > 0 && schema.example === undefined
        ? { example: value[0] as Json }
        : {};
    case "exclusiveMinimum":
      return boundOf("minimum", value, schema.minimum);
    case "exclusiveMaximum":
      return boundOf("maximum", value, schema.maximum);
    case "minimum":
    case "maximum":
      // Decided together with the exclusive one.
      return schema[`exclusive${key === "minimum" ? "Minimum" : "Maximum"}`] === undefined ? { [key]: value } : {};
    case "contentEncoding":
      return value === "base64" ? { format: "byte" } : {};
    case "properties":
      return { properties: mapValues(value as JsonObject, schemaOf) };
    case "items":
    case "not":
      return { [key]: schemaOf(value) };
    case "additionalProperties":
      return { additionalProperties: typeof value === "boolean" ? value : schemaOf(value) };
    case "allOf":
      return { allOf: (value as Json[]).map(schemaOf) };
    case "anyOf":
    case "oneOf":
      return choicesOf(key, value as Json[]);
    default:
      return { [key]: value };
  }
}

function typeOf(value: Json): JsonObject {
  const types = [value].flat();
  const others = types.filter((type) => type !== "null");
  const nullable = others.length < types.length ? { nullable: true } : {};
  if (others.length === 0) return { nullable: true, enum: [null] };
  if (others.length === 1) return { type: others[0] as Json, ...nullable };
  // An array must say what it holds.
  const each = others.map((type) => ({ type, ...(type === "array" && { items: {} }), ...nullable }) as JsonObject);
  return { anyOf: each };
}

function boundOf(name: "minimum" | "maximum", exclusive: Json, inclusive: Json | undefined): JsonObject {
  const isLower = name === "minimum";
  const word = isLower ? "exclusiveMinimum" : "exclusiveMaximum";
  if (typeof exclusive !== "number") return { [word]: exclusive };
  if (typeof inclusive === "number" && (isLower ? exclusive < inclusive : exclusive > inclusive)) {
    return { [name]: inclusive };
  }
  return { [name]: exclusive, [word]: true };
}

/** A choice of null is a nullable schema. */
function choicesOf(key: "anyOf" | "oneOf", choices: readonly Json[]): JsonObject {
  const others = choices.filter((choice) => !(isJsonObject(choice) && choice.type === "null"));
  const nullable = others.length < choices.length ? { nullable: true } : {};
  const converted = others.map(schemaOf);
  if (converted.length === 0) return { nullable: true, enum: [null] };
  return converted.length === 1 && choices.length > 1
    ? { allOf: converted, ...nullable }
    : { [key]: converted, ...nullable };
}

function itemsOf(prefixItems: Json | undefined): JsonObject {
  return Array.isArray(prefixItems) && prefixItems.length > 0 ? { anyOf: prefixItems.map(schemaOf) } : {};
}

function mapValues(object: JsonObject, convert: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value as Json)]));
}

function* mapInSteps(object: JsonObject, convert: (value: Json) => Json): Work<JsonObject> {
  const mapped: JsonObject = {};
  for (const key of Object.keys(object)) {
    // Not by assignment: a schema may have any name.
    Object.defineProperty(mapped, key, {
      value: convert(object[key] as Json),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    yield;
  }
  return mapped;
}
