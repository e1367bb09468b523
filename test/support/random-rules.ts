import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createRandom } from "../../src/base/random.ts";

const COLLECTIONS = ["products", "companies", "users", "orders", "tags"];
const FIELDS = [
  "name",
  "sku",
  "email",
  "price",
  "status",
  "note",
  "tags",
  "address",
  "a b",
  "x/y~z",
  "born_at",
  "count",
  "constructor",
];
const PATTERNS = [
  "^[A-Z]{3}-\\d{4}$",
  "\\d{2}",
  "^(foo|ba[rz])+$",
  "^#[0-9a-f]{6}$",
  "^\\p{Lu}\\p{Ll}{2,5}$",
  "^(?:\\+\\d{1,3} )?\\d{6,10}$",
  "[^a-z]$",
  "^\\w+@\\w+\\.com$",
];
const FORMATS = [
  "date-time",
  "date",
  "time",
  "email",
  "uri",
  "uuid",
  "ipv4",
  "ipv6",
  "hostname",
  "duration",
  "json-pointer",
];

/** Rules that records can keep, with most of the keywords that there are: the same for the same seed. */
export function randomRules(seed: number): JsonObject {
  const random = createRandom(seed * 7919);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const chance = (share: number): boolean => random() < share;

  const text = (): JsonObject =>
    pick<() => JsonObject>([
      () => ({ type: "string" }),
      () => ({ type: "string", minLength: below(20), maxLength: 20 + below(20) }),
      () => ({ type: "string", maxLength: below(3) }),
      () => ({ type: "string", pattern: pick(PATTERNS) }),
      () => ({ type: "string", format: pick(FORMATS) }),
      () => ({ type: ["string", "null"], examples: ["one", "two"] }),
      () => ({ enum: ["a", "b", null, 1] }),
      () => ({ const: pick<Json>(["x", 1, null, [1], { a: 1 }]) }),
      () => ({ type: "string", not: { enum: ["a", "b"] } }),
      () => ({ allOf: [{ type: "string", minLength: 2 }, { maxLength: 30 }, { pattern: "e" }] }),
    ])();
  const number = (): JsonObject => {
    const minimum = below(100) - 50;
    return pick<() => JsonObject>([
      () => ({ type: "integer" }),
      () => ({ type: "number", minimum, maximum: minimum + below(10) }),
      () => ({ type: "integer", exclusiveMinimum: minimum, exclusiveMaximum: minimum + 2 + below(10) }),
      () => ({ type: "number", exclusiveMinimum: 0, maximum: 1 }),
      () => ({ type: "number", multipleOf: pick([0.01, 0.5, 3, 7]), minimum }),
      () => ({ type: "integer", multipleOf: 5, maximum: 100 }),
      () => ({
        allOf: [
          { type: "number", minimum },
          { type: "integer", maximum: minimum + 5 },
        ],
      }),
    ])();
  };
  const list = (depth: number): JsonObject =>
    pick<() => JsonObject>([
      () => ({ type: "array", items: schema(depth + 1), maxItems: 4 }),
      () => ({ type: "array", items: { type: "integer", minimum: 0, maximum: 9 }, uniqueItems: true, minItems: 3 }),
      () => ({ type: "array", prefixItems: [text(), number()], items: false }),
      () => ({ type: "array", prefixItems: [text()], items: number(), minItems: 2 }),
      () => ({ type: "array", contains: { const: "needle" }, minContains: 1, maxContains: 2 }),
      () => ({ type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, maxItems: 3 }),
    ])();
  const object = (depth: number): JsonObject => {
    const names = [...new Set(Array.from({ length: 1 + below(4) }, () => pick(FIELDS)))];
    const properties = Object.fromEntries(names.map((name) => [name, schema(depth + 1)]));
    return {
      type: "object",
      properties,
      required: names.filter(() => chance(0.5)),
      ...(chance(0.3) && { additionalProperties: false }),
      ...(chance(0.2) && { dependentRequired: { [names[0]!]: names.slice(0, 2) } }),
      ...(chance(0.2) && { minProperties: 1, maxProperties: names.length }),
    };
  };
  const combined = (depth: number): JsonObject =>
    pick<() => JsonObject>([
      () => ({ oneOf: [number(), text(), { type: "boolean" }].map((one) => ({ ...one })) }),
      () => ({ anyOf: [object(depth + 1), list(depth + 1)] }),
      () => ({
        type: "object",
        required: ["kind"],
        properties: { kind: { enum: ["card", "cash"] } },
        if: { properties: { kind: { const: "card" } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { required: ["number"], properties: { number: { type: "string", pattern: "^\\d{4}$" } } },
        else: { properties: { number: false } },
      }),
      () => ({ $ref: "#/$defs/tree" }),
      () => ({ type: "object", patternProperties: { "^x-": number() }, additionalProperties: false, minProperties: 2 }),
      () => ({ type: "object", additionalProperties: text(), propertyNames: { pattern: "^[a-z]+$" } }),
      () => ({
        type: "object",
        properties: { a: text(), b: number() },
        dependentSchemas: { a: { required: ["b"] } },
        unevaluatedProperties: false,
      }),
      () => ({ type: ["object", "null"], not: { required: ["forbidden"] }, properties: { forbidden: text() } }),
    ])();
  const schema = (depth: number): JsonObject =>
    pick([
      text,
      text,
      number,
      () => ({ type: ["boolean", "null"] }),
      ...(depth < 3 ? [() => list(depth), () => object(depth), () => combined(depth)] : []),
    ])();

  const names = COLLECTIONS.filter(() => chance(0.3));
  const rules: JsonObject = {};
  for (const name of names) {
    const { additionalProperties, maxProperties, ...base } = object(0) as {
      properties: JsonObject;
      required: string[];
    } & JsonObject;
    const properties: JsonObject = { ...base.properties };
    if (chance(0.7))
      properties.id = pick<JsonObject>([
        { type: "integer" },
        { type: "string", format: "uuid" },
        { type: "string" },
        { type: "integer", minimum: 100, multipleOf: 5 },
        { type: "string", pattern: "^ord_[a-z0-9]{8}$" },
      ]);
    const references: JsonObject = {};
    for (const target of names.filter(() => chance(0.3))) {
      const field = pick([`${target}_id`, `${target}_ids`]);
      references[field] = target;
      const isList = field.endsWith("s") && chance(0.9);
      if (isList) properties[field] = { type: "array", uniqueItems: true };
      else if (chance(0.5))
        properties[field] = target === name ? { type: ["integer", "string", "null"] } : { type: ["integer", "string"] };
    }
    if (chance(0.5))
      properties.code = pick<JsonObject>([
        { type: "string", pattern: "^[A-Z]{2}\\d{2}$" },
        { type: "integer" },
        { type: "string", minLength: 1 },
      ]);
    rules[name] = {
      ...base,
      properties,
      $defs: {
        tree: {
          type: "object",
          required: ["value"],
          properties: { value: number(), children: { type: "array", items: { $ref: "#/$defs/tree" }, maxItems: 2 } },
        },
      },
      ...(properties.code !== undefined && { "x-unique": ["code"] }),
      "x-references": references,
    };
  }
  return rules;
}
