import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createSchemaBook } from "../../src/openapi/check/schema-book.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createSampler } from "../../src/openapi/sample/sampler.ts";

const SCHEMAS: JsonObject = {
  Animal: {
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, name: { type: "string" } },
  },
  Cat: {
    allOf: [{ $ref: "#/components/schemas/Animal" }, { required: ["lives"], properties: { lives: { const: 9 } } }],
  },
  Dog: {
    allOf: [{ $ref: "#/components/schemas/Animal" }, { required: ["bark"], properties: { bark: { type: "boolean" } } }],
  },
  Vehicle: {
    type: "object",
    required: ["type"],
    properties: { type: { type: "string" } },
    discriminator: { propertyName: "type", mapping: { truck: "#/components/schemas/Truck" } },
  },
  Truck: {
    allOf: [{ $ref: "#/components/schemas/Vehicle" }, { required: ["load"], properties: { load: { const: 7 } } }],
  },
  Named: { type: "object", required: ["id"], properties: { id: { const: 1 } }, example: { id: 1, name: "given" } },
  Tree: {
    type: "object",
    required: ["label", "children"],
    properties: {
      label: { const: "leaf" },
      children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    },
  },
  Person: {
    type: "object",
    required: ["name", "address"],
    properties: {
      name: { type: "string" },
      boss: { $ref: "#/components/schemas/Person" },
      address: { type: "object", required: ["city"], properties: { city: { type: "string" } } },
    },
  },
  Chain: { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Link" } } },
  Link: {
    nullable: true,
    type: "object",
    required: ["of"],
    properties: { of: { $ref: "#/components/schemas/Chain" } },
  },
};
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

async function open(version: string, schemas: JsonObject = SCHEMAS) {
  const root = {
    openapi: version,
    info: { title: "", version: "" },
    paths: { "/a": { get: { responses: {} } } },
    components: { schemas },
  };
  const document = await readApiDocument({ file: "api.json", root: root as JsonObject });
  return { sampler: createSampler(document, 1), book: createSchemaBook(document), root };
}

interface Case {
  readonly title: string;
  readonly schema: Json | object;
  readonly expected?: unknown;
  readonly version?: "3.0.3" | "3.1.0";
  readonly direction?: "request" | "response";
}

const cases: readonly Case[] = [
  {
    title: "a later part of allOf refines an earlier one",
    schema: { allOf: [{ properties: { kind: { type: "string" } } }, { properties: { kind: { enum: ["cat"] } } }] },
    expected: { kind: "cat" },
  },
  {
    title: "bounds of several parts hold together",
    schema: { allOf: [{ type: "integer", minimum: 3 }, { maximum: 3 }] },
    expected: 3,
  },
  {
    title: "an example on one part is completed with what others require",
    schema: { allOf: [ref("Named"), { required: ["size"], properties: { size: { const: 5 } } }] },
    expected: { id: 1, name: "given", size: 5 },
  },
  { title: "a valid example is used as it is", schema: ref("Named"), expected: { id: 1, name: "given" } },
  {
    title: "the broken parts of an example are made again",
    schema: { type: "object", properties: { a: { const: 1 }, b: { type: "string" } }, example: { a: 2, b: "kept" } },
    expected: { a: 1, b: "kept" },
  },
  {
    title: "an example of another type is not used",
    schema: { type: "integer", minimum: 4, maximum: 4, example: "many" },
    expected: 4,
  },
  {
    title: "JSON text is parsed where a text is not allowed",
    schema: { type: "object", properties: { a: { type: "integer" } }, example: '{ "a": 12 }' },
    expected: { a: 12 },
  },
  {
    title: "JSON text is parsed where parts are described, although no type is",
    schema: { properties: { a: { type: "integer" } }, example: '{ "a": 12 }' },
    expected: { a: 12 },
  },
  { title: "digits are a text where a text is wanted", schema: { type: "string", example: 12345 }, expected: "12345" },
  { title: "a default is used if it is valid", schema: { type: "string", default: "usual" }, expected: "usual" },
  {
    title: "a default that is not allowed is not used",
    schema: { enum: ["a"], default: "b" },
    expected: "a",
  },
  {
    title: "oneOf with a discriminator and a mapping",
    schema: {
      oneOf: [ref("Cat"), ref("Dog")],
      discriminator: { propertyName: "kind", mapping: { kitty: "#/components/schemas/Cat", hound: "Dog" } },
    },
    expected: { kind: "kitty", name: expect.any(String), lives: 9 },
  },
  {
    title: "anyOf with a discriminator and no mapping",
    schema: { anyOf: [ref("Dog"), ref("Cat")], discriminator: { propertyName: "kind" } },
    expected: expect.objectContaining({ kind: "Dog" }),
  },
  {
    title: "a schema that extends one with a discriminator",
    schema: ref("Truck"),
    expected: { type: "truck", load: 7 },
  },
  {
    title: "a schema with a discriminator is made as one that extends it",
    schema: ref("Vehicle"),
    expected: { type: "truck", load: 7 },
  },
  {
    title: "an alternative that cannot be met gives way to the next",
    schema: { oneOf: [{ type: "integer", minimum: 2, maximum: 1 }, { const: "b" }] },
    expected: "b",
  },
  {
    title: "either of two fields, but not both",
    schema: {
      type: "object",
      properties: { a: { const: 1 }, b: { const: 2 } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    expected: { a: 1 },
  },
  { title: "null is the last choice", schema: { anyOf: [{ type: "null" }, { const: 1 }] }, expected: 1 },
  {
    title: "minProperties",
    schema: { type: "object", minProperties: 3, additionalProperties: { type: "integer" } },
  },
  {
    title: "maxProperties keeps required fields",
    schema: { type: "object", maxProperties: 1, required: ["b"], properties: { a: {}, b: { const: 1 } } },
    expected: { b: 1 },
  },
  { title: "pattern", schema: { type: "string", pattern: "^[A-Z]{2}-\\d{4}(x|y)?$" } },
  {
    title: "pattern with escapes that only old engines allow",
    schema: { type: "string", pattern: "^[\\w-]+\\@[a-z\\_]+$" },
  },
  { title: "pattern with refused starts", schema: { type: "string", pattern: "^(?!a)(?!.*cc)^[a-c]{3}$" } },
  {
    title: "pattern of passwords",
    schema: { type: "string", pattern: "^(?=.*[a-z])(?=.*\\d)(?=.*[@!%])[A-Za-z\\d@!%]{8,}$" },
  },
  { title: "pattern that is a literal", schema: { type: "string", pattern: "/^[a-z]{2}-\\d{4}$/i" } },
  { title: "pattern and length", schema: { type: "string", pattern: "^a+$", minLength: 12, maxLength: 12 } },
  { title: "multipleOf", schema: { type: "number", multipleOf: 0.25, minimum: 1.1, maximum: 1.3 }, expected: 1.25 },
  {
    title: "uniqueItems, although the items have one example",
    schema: { type: "array", uniqueItems: true, minItems: 3, items: { type: "string", example: "same" } },
  },
  {
    title: "uniqueItems of a few values",
    schema: { type: "array", uniqueItems: true, minItems: 3, items: { enum: ["a", "b", "c"] } },
    expected: expect.arrayContaining(["a", "b", "c"]),
  },
  { title: "not", schema: { type: "integer", minimum: 1, maximum: 2, not: { const: 1 } }, expected: 2 },
  {
    title: "not with a field",
    schema: { type: "object", properties: { a: {} }, not: { required: ["a"] } },
    expected: {},
  },
  { title: "const", schema: { const: { a: [1] } }, expected: { a: [1] }, version: "3.1.0" },
  {
    title: "formats",
    schema: {
      type: "object",
      properties: Object.fromEntries(
        ["date", "date-time", "time", "uuid", "email", "uri", "ipv4", "ipv6", "hostname", "duration"].map((format) => [
          format,
          { type: "string", format },
        ]),
      ),
    },
  },
  {
    title: "base64",
    schema: { type: "string", format: "byte" },
    expected: expect.stringMatching(/^[A-Za-z\d+/]+={0,2}$/),
  },
  {
    title: "names suit the schema",
    schema: { type: "object", properties: { email: { type: "string" } } },
    expected: { email: expect.stringMatching(/@/) },
  },
  {
    title: "boolean exclusiveMinimum",
    schema: { type: "integer", minimum: 4, exclusiveMinimum: true, maximum: 5 },
    expected: 5,
    version: "3.0.3",
  },
  {
    title: "numeric exclusiveMinimum",
    schema: { type: "integer", exclusiveMinimum: 4, maximum: 5 },
    expected: 5,
    version: "3.1.0",
  },
  {
    title: "nullable is not null",
    schema: { type: "integer", nullable: true, enum: [1, null] },
    expected: expect.anything(),
    version: "3.0.3",
  },
  {
    title: "writeOnly is no part of responses, even where it is required",
    schema: {
      type: "object",
      required: ["a", "b"],
      properties: { a: { const: 1 }, b: { type: "string", writeOnly: true } },
    },
    expected: { a: 1 },
  },
  {
    title: "readOnly is no part of requests",
    schema: {
      type: "object",
      required: ["a", "b"],
      properties: { a: { const: 1 }, b: { type: "string", readOnly: true } },
    },
    expected: { a: 1 },
    direction: "request",
  },
  { title: "recursion ends at lists", schema: ref("Tree") },
  { title: "recursion ends at optional fields", schema: ref("Person") },
  { title: "recursion ends at null where nothing else is possible", schema: ref("Chain"), version: "3.0.3" },
  {
    title: "a tuple",
    schema: { type: "array", prefixItems: [{ const: 1 }, { const: "a" }], items: false },
    expected: [1, "a"],
    version: "3.1.0",
  },
  {
    title: "contains",
    schema: { type: "array", contains: { const: 5 }, items: { type: "integer" } },
    version: "3.1.0",
  },
  {
    title: "if and then",
    // As text, because an object with `then` would pass for a promise.
    schema: JSON.parse(
      '{"properties":{"a":{"enum":[1]}},"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]}}',
    ) as Json,
    version: "3.1.0",
  },
  {
    title: "dependentRequired",
    schema: { type: "object", properties: { a: {} }, dependentRequired: { a: ["b"] } },
    version: "3.1.0",
  },
  {
    title: "false allows nothing",
    schema: { type: "object", properties: { a: false, b: { const: 1 } } },
    expected: { b: 1 },
    version: "3.1.0",
  },
];

describe("a value made from its schema passes it", async () => {
  const opened = { "3.0.3": await open("3.0.3"), "3.1.0": await open("3.1.0") };
  for (const { title, schema, expected, version, direction = "response" } of cases) {
    for (const [one, { sampler, book }] of Object.entries(opened)) {
      if (version !== undefined && version !== one) continue;
      test(`${title} (${one})`, () => {
        for (const place of ["#/a", "#/b", "#/c"]) {
          const placed = { value: schema as Json, place };
          const value = sampler.sample(placed, { direction });
          if (expected !== undefined) expect(value).toEqual(expected);
          expect(book.validator(placed, direction)(value as Json)).toEqual([]);
        }
      });
    }
  }

  test("contradictions still give a value of the right kind", () => {
    const { sampler } = opened["3.1.0"];
    const sample = (value: Json) => sampler.sample({ value, place: "#" });
    expect(sample({ allOf: [{ type: "object", properties: { a: { const: 1 } } }, { type: "string" }] })).toEqual({
      a: 1,
    });
    expect(
      sample({ required: ["a"], properties: { a: { type: "integer", minimum: 2, maximum: 1 }, b: { const: 2 } } }),
    ).toEqual({ a: 0, b: 2 });
    expect(sample({ type: "object", required: ["self"], properties: { self: { $ref: "#/nowhere" } } })).toEqual({
      self: expect.any(String),
    });
    expect(sample(false)).toBeUndefined();
  });
});

test("too much is cut at optional parts; what is required is there and never null", async () => {
  // Each schema leads to five others: all optional parts together would be 5^20 values.
  const schemas: JsonObject = {};
  for (let at = 0; at < 20; at++) {
    const next = ref(`s${at + 1}`);
    schemas[`s${at}`] = {
      type: "object",
      required: ["id", "list"],
      properties: { id: { type: "integer" }, list: { type: "array", items: next }, a: next, b: next, c: next, d: next },
    };
  }
  schemas.s20 = { type: "string" };
  const { sampler, book } = await open("3.1.0", schemas);
  const placed = { value: ref("s0"), place: "#" };
  const value = sampler.sample(placed)!;
  expect(book.validator(placed, "response")(value)).toEqual([]);
  expect(JSON.stringify(value).length).toBeLessThan(20_000);
  expect(JSON.stringify(value)).not.toContain("null");
  expect(value).toHaveProperty("a.b.id");
});

test("the same seed and place give the same value, whatever was made before", async () => {
  const [first, second] = [await open("3.1.0"), await open("3.1.0")];
  const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
  const at = (place: string) => ({ value: schema as unknown as Json, place });
  first.sampler.sample(at("#/other"));
  expect(first.sampler.sample(at("#/a"))).toEqual(second.sampler.sample(at("#/a")));
  expect(first.sampler.sample(at("#/a"))).not.toEqual(second.sampler.sample(at("#/b")));
  expect(first.sampler.sample(at("#/a"), { seedText: "x" })).not.toEqual(second.sampler.sample(at("#/a")));
});

test("values that should differ do so although their schema has examples", async () => {
  const { sampler } = await open("3.1.0");
  const placed = {
    value: { type: "string", format: "uuid", example: "0b5a7c1e-54c8-4b6c-8d5e-2f6f0a9c3b11" },
    place: "#",
  };
  const ids = Array.from({ length: 20 }, (_, at) => sampler.sample(placed, { seedText: String(at), isVaried: true }));
  expect(new Set(ids).size).toBeGreaterThan(5);
  expect(ids).toContain(placed.value.example);
});

/** Schemas that some value passes, which their keywords together make likely to be missed. */
const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.record({ type: fc.constant("string"), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 30 }) }),
    fc.record({
      type: fc.constant("string"),
      pattern: fc.constantFrom("^[a-f]{3,6}$", "\\d+", "^(on|off)$", "^\\w+@\\w+$"),
    }),
    fc.record({
      type: fc.constantFrom("integer", "number"),
      minimum: fc.integer({ min: -50, max: 0 }),
      maximum: fc.integer({ min: 20, max: 90 }),
      multipleOf: fc.constantFrom(1, 2, 5),
    }),
    fc.record({
      enum: fc.uniqueArray(fc.constantFrom("a", "b", 1, 2, true), { minLength: 1 }),
    }) as fc.Arbitrary<JsonObject>,
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(4) }),
    fc.record({ allOf: fc.tuple(tie("schema"), fc.record({ description: fc.string() })) }) as fc.Arbitrary<JsonObject>,
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }) as fc.Arbitrary<JsonObject>,
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("id", "name", "price", "tags"), tie("schema")),
      required: fc.uniqueArray(fc.constantFrom("id", "name", "other")),
    }) as fc.Arbitrary<JsonObject>,
  ) as fc.Arbitrary<JsonObject>,
}));

test("random schemas", async () => {
  const { sampler, book } = await open("3.1.0");
  fc.assert(
    fc.property(anySchema, (schema) => {
      const placed = { value: schema, place: "#/x" };
      expect(book.validator(placed, "response")(sampler.sample(placed) as Json)).toEqual([]);
    }),
    { numRuns: 150, seed: 7 },
  );
});

test("required parts without end are cut as well, for a body that can be sent", async () => {
  const schemas: JsonObject = { s30: { type: "string" } };
  for (let at = 0; at < 30; at++) {
    const next = ref(`s${at + 1}`);
    schemas[`s${at}`] = { type: "object", required: ["a", "b", "c"], properties: { a: next, b: next, c: next } };
  }
  const { sampler } = await open("3.1.0", schemas);
  const value = sampler.sample({ value: ref("s0"), place: "#" });
  expect(value).toHaveProperty("a.a.a.a.a");
  expect(JSON.stringify(value).length).toBeLessThan(40_000);
});

test.each([8, 2, 1, 0])(
  "decimals with up to %i digits before the point are numbers, and so are places",
  async (digits) => {
    const { sampler } = await open("3.0.3");
    const schema: JsonObject = { type: "string", format: "decimal", pattern: `^-?\\d{0,${digits}}(?:\\.\\d{0,2})?$` };
    const latitude: JsonObject = { type: "string" };
    const placed = {
      value: { type: "object", required: ["distance", "latitude"], properties: { distance: schema, latitude } },
      place: "#/x",
    };
    const sample = sampler.sample(placed) as JsonObject;
    expect(sample.distance).toMatch(new RegExp(`^\\d{0,${Math.min(digits, 3)}}\\.\\d\\d$`));
    expect(Math.abs(Number(sample.latitude))).toBeLessThanOrEqual(90);
  },
);
