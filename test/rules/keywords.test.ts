import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { compileRules } from "../../src/schema/rules/compile-rules.ts";
import { readRules } from "../../src/schema/rules/read-rules.ts";

/** Each schema with values that keep it, and values that break it by the named rules. */
const cases: readonly [keyword: string, schema: JsonObject, good: readonly Json[], bad: readonly [Json, string][]][] = [
  ["type", { type: "null" }, [null], [[0, "type"]]],
  ["type", { type: "boolean" }, [true, false], [["true", "type"]]],
  [
    "type",
    { type: "object" },
    [{}],
    [
      [[], "type"],
      [null, "type"],
    ],
  ],
  ["type", { type: "array" }, [[]], [[{}, "type"]]],
  ["type", { type: "number" }, [0, 1.5, -1e300], [["1", "type"]]],
  ["type", { type: "integer" }, [0, 2.0, -7], [[1.5, "type"]]],
  [
    "type",
    { type: "string" },
    ["", "a"],
    [
      [1, "type"],
      [null, "type"],
    ],
  ],
  [
    "type",
    { type: ["string", "null"] },
    ["a", null],
    [
      [1, "type"],
      [[], "type"],
    ],
  ],
  [
    "enum",
    { enum: ["a", 1, null, { b: [1] }] },
    ["a", 1, null, { b: [1] }],
    [
      ["b", "enum"],
      [{ b: [] }, "enum"],
    ],
  ],
  [
    "const",
    { const: { a: 1 } },
    [{ a: 1 }],
    [
      [{ a: 2 }, "const"],
      [null, "const"],
    ],
  ],
  ["minimum", { minimum: 0 }, [0, 1, "x"], [[-1, "minimum"]]],
  ["maximum", { maximum: 10.5 }, [10.5, []], [[10.6, "maximum"]]],
  ["exclusiveMinimum", { exclusiveMinimum: 0 }, [0.001], [[0, "exclusiveMinimum"]]],
  ["exclusiveMaximum", { exclusiveMaximum: 1 }, [0.999], [[1, "exclusiveMaximum"]]],
  ["multipleOf", { multipleOf: 0.01 }, [19.99, 0.07, 4.35, 0], [[19.999, "multipleOf"]]],
  ["multipleOf", { multipleOf: 3 }, [9, -3, "x"], [[10, "multipleOf"]]],
  [
    "minLength",
    { minLength: 2 },
    ["ab", "😀😀", 1],
    [
      ["a", "minLength"],
      ["😀", "minLength"],
    ],
  ],
  ["maxLength", { maxLength: 2 }, ["ab", "😀😀"], [["abc", "maxLength"]]],
  [
    "pattern",
    { pattern: "^[A-Z]{3}-\\d+$" },
    ["ABC-1", 5],
    [
      ["abc-1", "pattern"],
      ["ABC-1\n", "pattern"],
    ],
  ],
  ["pattern", { pattern: "b" }, ["abc"], [["ac", "pattern"]]],
  ["pattern", { pattern: "^\\p{Lu}\\p{L}*$" }, ["Élan"], [["élan", "pattern"]]],
  ["pattern", { pattern: "^.$" }, ["😀", "é"], [["ab", "pattern"]]],
  [
    "pattern",
    { pattern: "^(?![)|\\d]*$)(?=.*\\d)^.{2}$" },
    ["a1"],
    [
      ["ab", "pattern"],
      ["12", "pattern"],
      ["a12", "pattern"],
    ],
  ],
  ["pattern", { pattern: "^(a+)+$" }, ["aaaa"], [[`${"a".repeat(1000)}b`, "pattern"]]],
  [
    "format",
    { format: "date-time" },
    ["2026-01-31T12:00:00Z", "2024-02-29t23:59:60.5z", "2026-01-31T12:00:00+02:30", 1],
    [
      ["2026-01-31", "format"],
      ["2026-01-31 12:00:00Z", "format"],
      ["2026-02-29T12:00:00Z", "format"],
      ["2026-01-31T24:00:00Z", "format"],
    ],
  ],
  [
    "format",
    { format: "date" },
    ["2024-02-29"],
    [
      ["2026-02-29", "format"],
      ["2026-1-1", "format"],
      ["2026-13-01", "format"],
    ],
  ],
  [
    "format",
    { format: "time" },
    ["12:00:00Z", "23:59:59.999-08:00"],
    [
      ["12:00:00", "format"],
      ["12:00Z", "format"],
      ["12:60:00Z", "format"],
    ],
  ],
  [
    "format",
    { format: "duration" },
    ["P3D", "PT12H", "P1Y2M", "P2W", "P1DT5M"],
    [
      ["P", "format"],
      ["3D", "format"],
      ["P1W2D", "format"],
      ["PT", "format"],
      ["P1D2H", "format"],
    ],
  ],
  [
    "format",
    { format: "email" },
    ["ada@example.com", "a.b+c@x.io", '"a b"@example.com', "a@[127.0.0.1]"],
    [
      ["ada", "format"],
      ["@x.io", "format"],
      ["a..b@x.io", "format"],
      ["a@-x.io", "format"],
      ["ä@x.io", "format"],
    ],
  ],
  ["format", { format: "idn-email" }, ["ä@bücher.de"], [["ä", "format"]]],
  [
    "format",
    { format: "hostname" },
    ["localhost", "www.example.com", "a-b.c"],
    [
      ["-a.com", "format"],
      ["a_b", "format"],
      ["", "format"],
      [`${"a".repeat(64)}.com`, "format"],
    ],
  ],
  ["format", { format: "idn-hostname" }, ["bücher.de"], [["bü cher.de", "format"]]],
  [
    "format",
    { format: "ipv4" },
    ["127.0.0.1", "255.255.255.255"],
    [
      ["256.0.0.1", "format"],
      ["1.2.3", "format"],
      ["01.2.3.4", "format"],
    ],
  ],
  [
    "format",
    { format: "ipv6" },
    ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"],
    [
      ["1::2::3", "format"],
      ["1:2:3:4:5:6:7", "format"],
      ["12345::", "format"],
      ["::1%eth0", "format"],
      ["1:2:3:4:5:6:7:8:9", "format"],
    ],
  ],
  [
    "format",
    { format: "uri" },
    ["https://example.com/a?b#c", "urn:isbn:1", "mailto:a@b.c", "http://[::1]:80/"],
    [
      ["/a", "format"],
      ["http://a b", "format"],
      ["http://x/%zz", "format"],
      ["1http://x", "format"],
      ["http://x/ä", "format"],
    ],
  ],
  [
    "format",
    { format: "uri-reference" },
    ["/a/b", "", "?q=1", "#f", "//host/a", "https://x.y"],
    [
      ["\\a", "format"],
      ["a b", "format"],
    ],
  ],
  ["format", { format: "iri" }, ["https://bücher.de/ä"], [["ä", "format"]]],
  ["format", { format: "iri-reference" }, ["/ä"], [["ä b", "format"]]],
  [
    "format",
    { format: "uri-template" },
    ["/a/{id}", "/a{?x,y*}", "/a/{b:3}"],
    [
      ["/a/{id", "format"],
      ["/a/{}", "format"],
    ],
  ],
  [
    "format",
    { format: "uuid" },
    ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
    [
      ["2eb8aa08aa9811eab4aa73b441d16380", "format"],
      ["2eb8aa08-aa98-11ea-b4aa-73b441d1638g", "format"],
    ],
  ],
  [
    "format",
    { format: "json-pointer" },
    ["", "/a/0", "/a~1b~0"],
    [
      ["a", "format"],
      ["/a~2", "format"],
    ],
  ],
  [
    "format",
    { format: "relative-json-pointer" },
    ["0", "1/a", "2#"],
    [
      ["/a", "format"],
      ["01", "format"],
    ],
  ],
  ["format", { format: "regex" }, ["^a+$", "(?=a)"], [["(", "format"]]],
  ["minItems", { minItems: 1 }, [[0], {}], [[[], "minItems"]]],
  ["maxItems", { maxItems: 1 }, [[0]], [[[0, 1], "maxItems"]]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [
      [1, "1", true],
      [{ a: 1 }, { a: 2 }],
      [[1], [2]],
    ],
    [
      [[1, 1], "uniqueItems"],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        "uniqueItems",
      ],
    ],
  ],
  ["uniqueItems", { uniqueItems: false }, [[1, 1]], []],
  [
    "uniqueItems beyond 1,000",
    { uniqueItems: true },
    [[...Array(1000).keys(), 0, 0]],
    [[[...Array(999).keys(), 0], "uniqueItems"]],
  ],
  ["items", { items: { type: "number" } }, [[], [1, 2], "x"], [[[1, "2"], "type"]]],
  ["items", { items: false }, [[]], [[[1], "false"]]],
  [
    "prefixItems",
    { prefixItems: [{ type: "string" }, { type: "number" }] },
    [["a", 1], ["a"], ["a", 1, null]],
    [[[1], "type"]],
  ],
  ["prefixItems", { prefixItems: [true], items: { type: "number" } }, [["a", 1]], [[["a", "b"], "type"]]],
  ["prefixItems", { prefixItems: [true], items: false }, [["a"]], [[["a", "b"], "items"]]],
  [
    "contains",
    { contains: { const: 1 } },
    [[0, 1]],
    [
      [[0], "contains"],
      [[], "contains"],
    ],
  ],
  ["minContains", { contains: { const: 1 }, minContains: 2 }, [[1, 1]], [[[1], "contains"]]],
  ["minContains", { contains: { const: 1 }, minContains: 0 }, [[]], []],
  ["maxContains", { contains: { const: 1 }, maxContains: 1 }, [[1, 2]], [[[1, 1], "contains"]]],
  ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }, [[1]], [[[1, 2], "unevaluatedItems"]]],
  ["minProperties", { minProperties: 1 }, [{ a: 1 }], [[{}, "minProperties"]]],
  ["maxProperties", { maxProperties: 1 }, [{ a: 1 }], [[{ a: 1, b: 2 }, "maxProperties"]]],
  [
    "required",
    { required: ["a", "toString"] },
    [{ a: null, toString: 1 }, []],
    [
      [{ toString: 1 }, "required"],
      [{ a: 1 }, "required"],
    ],
  ],
  [
    "dependentRequired",
    { dependentRequired: { card: ["address"] } },
    [{}, { card: 1, address: 2 }],
    [[{ card: 1 }, "dependentRequired"]],
  ],
  [
    "properties",
    { properties: { a: { type: "number" }, b: false } },
    [{ a: 1 }, { c: "x" }, []],
    [
      [{ a: "x" }, "type"],
      [{ b: 1 }, "false"],
    ],
  ],
  [
    "patternProperties",
    { patternProperties: { "^n_": { type: "number" } } },
    [{ n_a: 1, x: "a" }],
    [[{ n_a: "x" }, "type"]],
  ],
  [
    "additionalProperties",
    { properties: { a: true }, additionalProperties: false },
    [{ a: 1 }],
    [[{ a: 1, b: 2 }, "additionalProperties"]],
  ],
  [
    "additionalProperties",
    { patternProperties: { "^x": true }, additionalProperties: { type: "number" } },
    [{ xa: "a", b: 1 }],
    [[{ b: "x" }, "type"]],
  ],
  ["propertyNames", { propertyNames: { pattern: "^[a-z]+$" } }, [{ abc: 1 }], [[{ A: 1 }, "propertyNames"]]],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [[{ abc: 1 }, "propertyNames"]]],
  [
    "dependentSchemas",
    { dependentSchemas: { a: { required: ["b"] } } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [[{ a: 1 }, "required"]],
  ],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [[{ c: 1 }, "unevaluatedProperties"]],
  ],
  [
    "allOf",
    { allOf: [{ minimum: 1 }, { maximum: 3 }] },
    [2],
    [
      [0, "minimum"],
      [4, "maximum"],
    ],
  ],
  ["anyOf", { anyOf: [{ type: "string" }, { minimum: 3 }] }, ["a", 3], [[1, "anyOf"]]],
  [
    "oneOf",
    { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
    [2, 3],
    [
      [6, "oneOf"],
      [1, "oneOf"],
    ],
  ],
  ["not", { not: { type: "null" } }, [1], [[null, "not"]]],
  [
    "if",
    {
      if: { properties: { kind: { const: "card" } }, required: ["kind"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ["number"] },
      else: { required: ["cash"] },
    },
    [{ kind: "card", number: 1 }, { cash: 1 }],
    [
      [{ kind: "card" }, "required"],
      [{}, "required"],
    ],
  ],
  [
    "$ref",
    { $defs: { price: { minimum: 0 } }, properties: { a: { $ref: "#/$defs/price" } } },
    [{ a: 1 }],
    [[{ a: -1 }, "minimum"]],
  ],
  ["$ref", { $defs: { "a/b~c": { minimum: 0 } }, items: { $ref: "#/$defs/a~1b~0c" } }, [[1]], [[[-1], "minimum"]]],
  [
    "$ref beside keywords",
    { $defs: { n: { type: "number" } }, $ref: "#/$defs/n", minimum: 1 },
    [1],
    [
      ["x", "type"],
      [0, "minimum"],
    ],
  ],
  [
    "$ref to itself",
    { properties: { name: { type: "string" }, children: { items: { $ref: "#" } } } },
    [{ children: [{ children: [{ name: "a" }] }] }],
    [[{ children: [{ children: [{ name: 1 }] }] }, "type"]],
  ],
  [
    "$anchor",
    { $defs: { a: { $anchor: "price", minimum: 0 } }, items: { $ref: "#price" } },
    [[1]],
    [[[-1], "minimum"]],
  ],
  [
    "$id",
    { $id: "https://example.com/s", $defs: { a: { minimum: 0 } }, items: { $ref: "https://example.com/s#/$defs/a" } },
    [[1]],
    [[[-1], "minimum"]],
  ],
  [
    "$dynamicRef",
    { $dynamicAnchor: "node", type: "object", properties: { next: { $dynamicRef: "#node" } } },
    [{ next: { next: {} } }],
    [[{ next: 1 }, "type"]],
  ],
  ["definitions", { definitions: { a: { minimum: 0 } }, $ref: "#/definitions/a" }, [1], [[-1, "minimum"]]],
  [
    "annotations",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "t",
      description: "d",
      $comment: "c",
      default: 1,
      examples: [1],
      deprecated: true,
      readOnly: true,
      writeOnly: false,
      contentEncoding: "base64",
      contentMediaType: "image/png",
      contentSchema: { type: "null" },
      "x-own": 1,
    },
    [1, "not base64"],
    [],
  ],
  ["default", { properties: { a: { default: 1 } }, required: ["a"] }, [{ a: 2 }], [[{}, "required"]]],
  ["nothing", {}, [1, null, [], {}], []],
];

describe("keywords", () => {
  const rules = readRules(Object.fromEntries(cases.map(([, schema], at) => [`c${at}`, schema])), "rules.json");
  const compiled = compileRules(rules);
  for (const [at, [keyword, schema, good, bad]] of cases.entries()) {
    test(`${keyword}: ${JSON.stringify(schema).slice(0, 120)}`, async () => {
      const judge = (await compiled).get(`c${at}`)!;
      for (const value of good) expect(judge(value), JSON.stringify(value).slice(0, 100)).toEqual([]);
      for (const [value, rule] of bad) {
        expect(
          judge(value).map((violation) => violation.rule),
          JSON.stringify(value).slice(0, 100),
        ).toContain(rule);
      }
    });
  }

  test("there are at least 150 values", () => {
    expect(cases.reduce((sum, [, , good, bad]) => sum + good.length + bad.length, 0)).toBeGreaterThanOrEqual(150);
  });
});

describe("violations", () => {
  const judgeOf = async (schema: JsonObject) =>
    (await compileRules(readRules({ one: schema }, "rules.json"))).get("one")!;

  test("name every broken rule by pointer, rule, message and value", async () => {
    const judge = await judgeOf({
      required: ["name"],
      properties: { price: { type: "number", minimum: 0 }, "a/b": { items: { maxLength: 1 } } },
      additionalProperties: false,
    });
    expect(judge({ price: -1, "a/b": ["x", "long"], other: true })).toEqual([
      { pointer: "/name", rule: "required", message: "is required" },
      { pointer: "/other", rule: "additionalProperties", message: "is not an allowed field", given: true },
      { pointer: "/price", rule: "minimum", message: "must be at least 0", given: -1 },
      { pointer: "/a~1b/1", rule: "maxLength", message: "must have at most 1 character", given: "long" },
    ]);
  });

  test("are at most 50, and show no large values", async () => {
    const judge = await judgeOf({ items: { type: "number" } });
    const found = judge([...Array(100)].map(() => "x".repeat(1000)));
    expect(found.length).toBe(50);
    expect(found[49]).toMatchObject({ pointer: "/49", given: `${"x".repeat(200)}...` });
    const [whole] = (await judgeOf({ maxProperties: 1 }))({ a: "x".repeat(1000), b: 1 });
    expect(whole).toEqual({ pointer: "", rule: "maxProperties", message: "must have at most 1 field" });
  });

  const messages: readonly [JsonObject, Json, string][] = [
    [{ type: ["string", "null"] }, 1, "must be a string or null"],
    [{ type: "integer" }, 1.5, "must be a whole number"],
    [{ enum: ["a", "b"] }, "c", 'must be one of "a", "b"'],
    [{ const: 1 }, 2, "must be 1"],
    [{ format: "date" }, "x", "must be a date, such as 2026-01-31"],
    [{ pattern: "^a" }, "x", "must match the pattern ^a"],
    [{ uniqueItems: true }, [1, 2, 1], "must not have the same element twice; elements 0 and 2 are equal"],
    [{ contains: { const: 1 }, maxContains: 2 }, [], "must have at least 1 and at most 2 matching elements"],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, 'is required together with "a"'],
    [
      { oneOf: [{ minimum: 0 }, { minimum: 1 }] },
      2,
      "must match exactly one of the allowed forms, but matches numbers 1 and 2",
    ],
  ];
  for (const [schema, value, message] of messages) {
    test(`${JSON.stringify(schema)}: ${message}`, async () => {
      expect((await judgeOf(schema))(value).at(-1)!.message).toBe(message);
    });
  }
});
