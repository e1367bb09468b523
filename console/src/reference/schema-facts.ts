import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import { listIn, objectIn, textIn } from "./reading.ts";
import { resolve } from "./references.ts";

/** A schema as the page shows it: with its parts put together. */
export interface SchemaFacts {
  /** Such as `string`, `integer or null`, `array of Product`. */
  readonly type: string;
  /** The component to link to; empty if the schema stands in place. */
  readonly name: string;
  readonly description: string;
  /** Limits, defaults and the like, each in a few words. */
  readonly limits: readonly string[];
  readonly values: readonly Json[];
  readonly properties: readonly SchemaProperty[];
  /** Schemas of which one or some apply. */
  readonly choices: readonly Json[];
  /** How the choices apply, such as "One of". */
  readonly choiceWords: string;
}

export interface SchemaProperty {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Arrays within arrays that are more than this lead round in a circle. */
const DEEPEST = 12;

export function schemaFacts(root: JsonObject, given: Json | undefined): SchemaFacts {
  const { value, name, from } = resolve(root, given);
  const merged = merge(root, value, [from]);
  const item = elementOf(root, merged);
  const about = item ? merge(root, item.value) : merged;
  const choices = listIn(merged.oneOf).length > 0 ? listIn(merged.oneOf) : listIn(merged.anyOf);
  const itemName = item?.name ?? "";
  return {
    type: typeWords(root, merged, name, [from]),
    name: name === "" ? itemName : name,
    description: textIn(merged.description),
    limits: limitsOf(merged),
    values: valuesOf(about),
    properties: propertiesOf(about),
    choices: choices.filter((choice) => !isNull(choice)),
    choiceWords: listIn(merged.oneOf).length > 0 ? "One of" : "Any of",
  };
}

/**
 * A schema with the parts of its `allOf`. Its own keywords win; properties and required names add up. `within` are the
 * references that led here: one that leads back adds nothing.
 */
export function merge(root: JsonObject, schema: JsonObject, within: readonly string[] = []): JsonObject {
  const parts = listIn(schema.allOf);
  if (parts.length === 0) return schema;
  const { allOf: _parts, ...own } = schema;
  let merged: JsonObject = {};
  for (const part of [...parts, own]) {
    const { value, from } = resolve(root, part);
    if (isCircle(within, from)) continue;
    const one: JsonObject = part === own ? own : merge(root, value, [...within, from]);
    merged = {
      ...merged,
      ...one,
      properties: withNarrowed(objectIn(merged.properties), objectIn(one.properties)),
      required: [...listIn(merged.required), ...listIn(one.required)],
    };
  }
  if (Object.keys(objectIn(merged.properties)).length === 0) delete merged.properties;
  return merged;
}

function isCircle(within: readonly string[], reference: string): boolean {
  return reference !== "" && within.includes(reference);
}

/** A later part may say more about a property, such as the values that it has here. */
function withNarrowed(before: JsonObject, after: JsonObject): JsonObject {
  const all = { ...before };
  for (const [name, schema] of Object.entries(after)) {
    const known = all[name];
    all[name] = isJsonObject(known) && isJsonObject(schema) ? { ...known, ...schema } : schema;
  }
  return all;
}

/** The schema of the elements of an array, of an array of arrays, and so on. */
function elementOf(root: JsonObject, schema: JsonObject): { value: JsonObject; name: string } | undefined {
  let found: { value: JsonObject; name: string } | undefined;
  let value = schema;
  for (let depth = 0; depth < DEEPEST && isJsonObject(value.items); depth++) {
    found = resolve(root, value.items);
    value = found.value;
  }
  return found;
}

function propertiesOf(schema: JsonObject): SchemaProperty[] {
  const required = new Set(listIn(schema.required));
  const properties = Object.entries(objectIn(schema.properties)).map(([name, one]) => ({
    name,
    schema: one,
    isRequired: required.has(name),
  }));
  if (isJsonObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0) {
    properties.push({ name: "(any other name)", schema: schema.additionalProperties, isRequired: false });
  }
  return properties;
}

function typeWords(root: JsonObject, schema: JsonObject, name: string, within: readonly string[]): string {
  const choices = [...listIn(schema.oneOf), ...listIn(schema.anyOf)];
  const types = typesOf(schema);
  const isNullable = schema.nullable === true || types.includes("null") || choices.some(isNull);
  const words = [
    ...new Set(types.filter((type) => type !== "null").map((type) => oneType(root, schema, type, name, within))),
  ];
  if (words.length === 0 && choices.length > 0) {
    const named = choices.filter((choice) => !isNull(choice)).map((choice) => wordsOf(root, choice, within));
    words.push([...new Set(named)].slice(0, 3).join(" or "));
  }
  const text = words.join(" or ") || name || "any value";
  return isNullable ? `${text} or null` : text;
}

/** The type of a schema within others. One that contains itself goes by its name. */
function wordsOf(root: JsonObject, given: Json | undefined, within: readonly string[]): string {
  const { value, name, from } = resolve(root, given);
  if (isCircle(within, from)) return name || "any value";
  const inside = [...within, from];
  return typeWords(root, merge(root, value, inside), name, inside);
}

function oneType(root: JsonObject, schema: JsonObject, type: string, name: string, within: readonly string[]): string {
  if (type === "array") return `array of ${wordsOf(root, schema.items, within)}`;
  if (type === "object") return name || textIn(schema.title) || "object";
  const format = textIn(schema.format);
  return format === "" ? type : `${type} (${format})`;
}

/** The types that a schema names, or those that its keywords are about. */
export function typesOf(schema: JsonObject): string[] {
  if (Array.isArray(schema.type)) return schema.type.filter((type) => typeof type === "string");
  if (typeof schema.type === "string") return [schema.type];
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  if (schema.items !== undefined) return ["array"];
  return [...new Set(valuesOf(schema).map((value) => (value === null ? "null" : typeof value)))];
}

function valuesOf(schema: JsonObject): readonly Json[] {
  return schema.const === undefined ? listIn(schema.enum) : [schema.const];
}

function isNull(choice: Json): boolean {
  return isJsonObject(choice) && choice.type === "null";
}

const LIMITS: readonly (readonly [key: string, words: (value: string) => string])[] = [
  ["minimum", (value) => `at least ${value}`],
  ["maximum", (value) => `at most ${value}`],
  ["exclusiveMinimum", (value) => `more than ${value}`],
  ["exclusiveMaximum", (value) => `less than ${value}`],
  ["multipleOf", (value) => `a multiple of ${value}`],
  ["minLength", (value) => `${value} or more characters`],
  ["maxLength", (value) => `up to ${value} characters`],
  ["pattern", (value) => `matches ${value}`],
  ["minItems", (value) => `${value} or more elements`],
  ["maxItems", (value) => `up to ${value} elements`],
  ["default", (value) => `${value} unless given`],
];

function limitsOf(schema: JsonObject): string[] {
  const limits = LIMITS.flatMap(([key, words]) => {
    const value = schema[key];
    // In OpenAPI 3.0, exclusive limits are flags of the others.
    if (value === undefined || typeof value === "boolean" || value === null) return [];
    return [words(typeof value === "string" ? value : JSON.stringify(value))];
  });
  if (schema.readOnly === true) limits.push("only in responses");
  if (schema.writeOnly === true) limits.push("only in requests");
  if (schema.uniqueItems === true) limits.push("no element twice");
  if (schema.deprecated === true) limits.push("deprecated");
  return limits;
}
