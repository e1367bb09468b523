import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createSchemaBook } from "../../src/openapi/check/schema-book.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const SCHEMAS: JsonObject = {
  Pet: {
    type: "object",
    required: ["id", "name"],
    properties: { id: { type: "integer", readOnly: true }, name: { type: "string" } },
  },
  User: {
    type: "object",
    required: ["name", "password"],
    additionalProperties: false,
    properties: { name: { type: "string" }, password: { $ref: "#/components/schemas/Secret" } },
  },
  Secret: { type: "string", writeOnly: true },
  Stored: { allOf: [{ $ref: "#/components/schemas/Pet" }, { type: "object", required: ["id", "at"] }] },
  Node: {
    type: "object",
    properties: { label: { type: "string" }, next: { $ref: "#/components/schemas/Node" } },
  },
  Cat: {
    type: "object",
    required: ["kind", "lives"],
    properties: { kind: { type: "string" }, lives: { type: "integer" } },
  },
  Dog: {
    type: "object",
    required: ["kind", "bark"],
    properties: { kind: { type: "string" }, bark: { type: "boolean" } },
  },
  Animal: {
    oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
    discriminator: { propertyName: "kind", mapping: { hound: "#/components/schemas/Dog" } },
  },
  Closed: { type: "object", properties: { a: { type: "integer" } }, additionalProperties: false },
  Circle: { allOf: [{ $ref: "#/components/schemas/Circle" }] },
  Broken: { $ref: "#/components/schemas/Nowhere" },
  Twice: {
    anyOf: [
      { type: "object", required: ["a"], properties: { a: { $ref: "#/components/schemas/Twice" } } },
      { type: "object", required: ["a", "b"], properties: { a: { $ref: "#/components/schemas/Twice" } } },
      { type: "integer" },
    ],
  },
};

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

async function bookOf(
  version: string,
): Promise<(schema: Json, value: Json, direction?: "request" | "response") => string[]> {
  const root = { openapi: `${version}.0`, info: {}, paths: {}, components: { schemas: SCHEMAS } };
  const book = createSchemaBook(await readApiDocument({ file: "own.yaml", root }));
  return (schema, value, direction = "response") => {
    const check = book.validator({ value: schema, place: "#/test" }, direction);
    return check(value).map(({ pointer, message }) => `${pointer} ${message}`);
  };
}

type Case = readonly [what: string, schema: Json, value: Json, violations: readonly string[]];

const CLOSED: JsonObject = { properties: { b: { type: "integer" } }, additionalProperties: false };
const REFUSES: JsonObject = { required: ["b"], additionalProperties: false };

const BOTH: readonly Case[] = [
  ["a whole number", { type: "integer" }, 1, []],
  ["a text in place of a number", { type: "integer" }, "1", [" must be a whole number"]],
  ["a boolean exclusiveMinimum", { minimum: 5, exclusiveMinimum: true }, 5, [" must be greater than 5"]],
  ["exclusiveMaximum: false", { maximum: 5, exclusiveMaximum: false }, 5, []],
  ["a numeric exclusiveMaximum", { exclusiveMaximum: 5 }, 5, [" must be less than 5"]],
  ["int32", { type: "integer", format: "int32" }, 2 ** 31, [" must be at most 2147483647"]],
  ["an unknown format", { type: "string", format: "phone" }, "?", []],
  ["a known format", { type: "string", format: "date" }, "?", [" must be a date, such as 2026-01-31"]],
  ["unknown keywords and types", { type: "file", foo: 1, required: true, items: 3 }, { a: 1 }, []],
  ["a pattern", { pattern: "^[a-z]+$" }, "A", [" must match the pattern ^[a-z]+$"]],
  ["a pattern with look-ahead inside, which is not checked", { pattern: "a(?=b)" }, "x", []],
  ["a look-ahead at the start", { pattern: "^(?!api/).*" }, "api/x", [" must match the pattern ^(?!api/).*"]],
  ["a pattern that is a literal", { pattern: "/^[a-z]+$/i" }, "Ab", []],
  ["a text that such a literal refuses", { pattern: "/^[a-z]+$/" }, "Ab", [" must match the pattern /^[a-z]+$/"]],
  [
    "a choice between ids and names that are none",
    { oneOf: [{ pattern: "^[a-f\\d-]{8}$" }, { pattern: "^(?![a-f\\d-]{8}$)^[a-z][a-z\\d-]*$" }] },
    "abc-1234",
    [],
  ],
  [
    "additionalProperties beside a pattern that is not checked",
    { patternProperties: { "(?=a)": {} }, additionalProperties: false },
    { a: 1 },
    [],
  ],
  ["parts of a whole that refuse each other", { allOf: [ref("Closed"), CLOSED] }, { a: 1, b: 2 }, []],
  ["a part of a whole that requires what it refuses", { allOf: [ref("Closed"), REFUSES] }, { a: 1, b: 2 }, []],
  ["a wrong property of such a part", { allOf: [ref("Closed"), CLOSED] }, { a: "1" }, ["/a must be a whole number"]],
  ["closed parts in a part", { allOf: [{ allOf: [ref("Closed")] }, { properties: { b: {} } }] }, { a: 1, b: 2 }, []],
  ["a closed part beside no others", { allOf: [ref("Closed")] }, { a: 1, b: 2 }, ["/b is not an allowed field"]],
  ["closed properties", { properties: { c: { allOf: [ref("Closed"), CLOSED] } } }, { c: { a: 1, b: 2 } }, []],
  ["nullable", { type: "string", nullable: true }, null, []],
  ["nullable with enum", { type: "string", nullable: true, enum: ["a"] }, null, []],
  ["nullable beside allOf", { nullable: true, allOf: [ref("Pet")] }, null, []],
  [
    "nullable beside allOf, with a wrong object",
    { nullable: true, allOf: [ref("Pet")] },
    { id: 1 },
    ["/name is required"],
  ],
  ["recursion", ref("Node"), { next: { next: { label: 1 } } }, ["/next/next/label must be a string"]],
  ["a reference that leads nowhere", ref("Broken"), 1, []],
  ["a property named like what objects inherit", { required: ["constructor"] }, {}, ["/constructor is required"]],
  ["true", true, 1, []],
  ["false", false, 1, [" is not allowed"]],
  ["a branch by discriminator", ref("Animal"), { kind: "hound" }, ["/bark is required"]],
  ["a branch by the name of its schema", ref("Animal"), { kind: "Cat", lives: "9" }, ["/lives must be a whole number"]],
  ["an unknown branch", ref("Animal"), { kind: "cow" }, ['/kind must be one of "hound", "Cat"']],
  ["no branch", ref("Animal"), {}, ["/kind is required"]],
  [
    "a choice of types",
    { oneOf: [{ type: "string" }, { type: "integer" }] },
    true,
    [" must be a string or a whole number"],
  ],
  ["a choice of values", { anyOf: [{ enum: ["a"] }, { enum: ["b", "c"] }] }, "d", [' must be one of "a", "b", "c"']],
  [
    "the nearest branch of a choice",
    { oneOf: [{ type: "string" }, { type: "object", required: ["a"] }] },
    {},
    ["/a is required"],
  ],
  [
    "several branches of a choice",
    { oneOf: [{ type: "integer" }, { type: "number" }] },
    1,
    [" must match exactly one of the allowed forms, but matches numbers 1 and 2"],
  ],
  ["a schema that only refers to itself", ref("Circle"), 1, [" is nested too deeply to be judged"]],
];

describe.each(["3.0", "3.1", "3.2"])("OpenAPI %s", async (version) => {
  const check = await bookOf(version);
  test.each(BOTH)("%s", (_what, schema, value, violations) => {
    expect(check(schema, value)).toEqual(violations);
  });
});

describe("differences between versions", async () => {
  const [check30, check31] = await Promise.all([bookOf("3.0"), bookOf("3.1")]);
  const beside = { ...ref("Node"), required: ["label"] };

  test("keywords beside $ref count from 3.1 on", () => {
    expect(check30(beside, {})).toEqual([]);
    expect(check31(beside, {})).toEqual(["/label is required"]);
  });

  test("3.1: type lists, const, prefixItems and unevaluatedProperties across references", () => {
    expect(check31({ type: ["string", "null"] }, null)).toEqual([]);
    expect(check31({ const: 1 }, 2)).toEqual([" must be 1"]);
    expect(check31({ prefixItems: [{ type: "string" }] }, [1])).toEqual(["/0 must be a string"]);
    const closed = { allOf: [ref("Node")], oneOf: [{ properties: { a: {} } }], unevaluatedProperties: false };
    expect(check31(closed, { label: "", a: 1 })).toEqual([]);
    expect(check31(closed, { label: "", b: 1 })).toEqual(["/b is not an allowed field"]);
  });
});

describe("readOnly and writeOnly", async () => {
  const check = await bookOf("3.0");

  test("readOnly properties are required in responses only, and of no concern in requests", () => {
    expect(check(ref("Pet"), { name: "Rex" }, "response")).toEqual(["/id is required"]);
    expect(check(ref("Pet"), { name: "Rex" }, "request")).toEqual([]);
    expect(check(ref("Pet"), { id: "as it was read", name: "Rex" }, "request")).toEqual([]);
  });

  test("a part that requires a property which another part says is readOnly", () => {
    expect(check(ref("Stored"), { name: "Rex" }, "request")).toEqual(["/at is required"]);
    expect(check(ref("Stored"), { name: "Rex" }, "response")).toEqual(["/id is required", "/at is required"]);
  });

  test("writeOnly properties are required in requests only", () => {
    expect(check(ref("User"), { name: "Ann" }, "response")).toEqual([]);
    expect(check(ref("User"), { name: "Ann" }, "request")).toEqual(["/password is required"]);
  });
});

describe("bounds", async () => {
  const check = await bookOf("3.0");

  test("a schema that refers to itself twice does not take exponential time", () => {
    let bad: Json = "x";
    for (let depth = 0; depth < 150; depth++) bad = { a: bad, b: 1 };
    expect(check(ref("Twice"), bad)).toEqual([" has too many parts to be judged"]);
  });

  test("of a large value, one violation is named", () => {
    const list = Array.from({ length: 20_000 }, () => ({ label: 1 }));
    expect(check({ type: "array", items: ref("Node") }, list)).toEqual(["/0/label must be a string"]);
    expect(check({ type: "array", items: ref("Node") }, list.slice(0, 1000))).toHaveLength(50);
  });

  test("more values than can be judged", () => {
    expect(
      check(
        {},
        Array.from({ length: 400_001 }, () => 1),
      ),
    ).toEqual([" has more than 400000 values, too many to be judged"]);
  });
});
