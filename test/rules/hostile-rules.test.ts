import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { compileRules } from "../../src/schema/rules/compile-rules.ts";
import { loadRules, readRules } from "../../src/schema/rules/read-rules.ts";
import { limit } from "../support/limits.ts";
import { compareWithAjv } from "./agreement.ts";

const ref = { $ref: "#/$defs/n" };
/** Doubles with each of its 30 definitions, without ever referring to itself. */
const doubling = Object.fromEntries(
  [...Array(30).keys()].map((at) => [
    `d${at}`,
    { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
  ]),
);
const nested = (levels: number): JsonObject => (levels === 0 ? {} : { not: nested(levels - 1) });

const refused: readonly [Json, string][] = [
  [
    { minimun: 1 },
    'p.minimun: is not a keyword of JSON Schema 2020-12. Own keywords begin with "x-". Did you mean "minimum"?',
  ],
  [
    { properties: { a: { nullable: true } } },
    'p.properties.a.nullable: is not a keyword of JSON Schema 2020-12; add "null" to type',
  ],
  [{ items: [{}] }, "p.items: a list of schemas is called prefixItems."],
  [
    { type: "strng" },
    'p.type: must be one of null, boolean, object, array, number, integer, string, or a list of them; it is "strng".',
  ],
  [{ minimum: "1" }, 'p.minimum: must be a number; it is "1".'],
  [{ exclusiveMinimum: true }, "p.exclusiveMinimum: must be a number; it is true."],
  [{ multipleOf: 0 }, "p.multipleOf: must be a number greater than 0"],
  [{ minLength: -1 }, "p.minLength: must be a whole number from 0"],
  [{ required: true }, "p.required: must be a list of strings"],
  [{ properties: { a: 1 } }, "p.properties: must be an object of schemas"],
  [{ enum: [] }, "p.enum: must be a list with at least one value"],
  [{ format: "emial" }, 'Did you mean "email"?'],
  [{ pattern: "(" }, 'p.pattern: "(": not a valid pattern'],
  [{ pattern: "(?=a)b" }, "look-ahead and look-behind are not supported."],
  [{ pattern: "^(?=a)b|c" }, "look-ahead and look-behind are not supported."],
  [{ pattern: `^${"(?!(?:[a-z]{1,900}))".repeat(9)}` }, "the pattern is too large"],
  [{ pattern: "(a)\\1" }, "back-references are not supported."],
  [{ pattern: "(?<x>a)\\k<x>" }, "back-references are not supported."],
  [{ pattern: `${"a".repeat(1001)}` }, "at most 1000 are allowed"],
  [{ pattern: "^(?:[a-z0-9]{1,900}){1}(?:[a-z0-9]{1,900}){1}$" }, "the pattern is too large"],
  [{ patternProperties: { "(": {} } }, 'p.patternProperties.(: "(": not a valid pattern'],
  [{ $schema: "http://json-schema.org/draft-07/schema#" }, "rules are JSON Schema 2020-12."],
  [{ $ref: "https://example.com/other.json" }, 'p.$ref: "https://example.com/other.json" leaves this schema'],
  [{ $ref: "#/$defs/none" }, 'p.$ref: "#/$defs/none" does not lead to a schema.'],
  [{ $ref: "#none" }, "does not lead to a schema."],
  [{ properties: { a: { $id: "https://example.com/b" } } }, "p.properties.a.$id: is supported only at the top"],
  [{ $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, "is there twice"],
  [
    { properties: { a: { "x-unique": ["b"] } } },
    "p.properties.a.x-unique: belongs at the top of a collection's schema.",
  ],
  [{ "x-unique": "sku" }, 'p.x-unique: must be a list of fields, such as ["sku"].'],
  [{ "x-references": ["company_id"] }, "p.x-references: must be an object of fields"],
  [{ "x-references": { company_id: 1 } }, "p.x-references.company_id: must be"],
  [
    { "x-references": { company_id: { colection: "c" } } },
    'p.x-references.company_id.colection: is not a setting; allowed are collection, onDelete. Did you mean "collection"?',
  ],
  [
    { "x-references": { company_id: { collection: "c", onDelete: "cascade" } } },
    'p.x-references.company_id.onDelete: is "cascade"; allowed values are "allow" and "refuse".',
  ],
  [[], "p: must be a JSON Schema"],
  [{ $ref: "#" }, "refers to itself without going into the record"],
  [
    { $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
    "refers to itself",
  ],
  [{ $dynamicAnchor: "n", $dynamicRef: "#n" }, "refers to itself"],
  [
    { $defs: { n: { anyOf: [{ properties: { a: ref } }, { properties: { a: ref } }] } }, ...ref },
    "more than 500 schemas may have to judge one value",
  ],
  [{ $defs: { n: { properties: { a: ref }, patternProperties: { a: ref } } }, ...ref }, "more than 500 schemas"],
  [{ $defs: { n: { items: ref, contains: ref } }, ...ref }, "more than 500 schemas"],
  [{ $defs: { n: { if: { items: ref }, else: { items: ref } } }, ...ref }, "more than 500 schemas"],
  [
    { $dynamicAnchor: "n", allOf: [{ items: { $dynamicRef: "#n" } }, { items: { $dynamicRef: "#n" } }] },
    "more than 500 schemas",
  ],
  [{ $defs: { ...doubling, d30: {} }, $ref: "#/$defs/d0" }, "more than 500 schemas"],
  [nested(101), "is nested deeper than 100 levels."],
  [
    { enum: [1], properties: Object.fromEntries([...Array(1001).keys()].map((at) => [`f${at}`, {}])) },
    "has more than 1000 schemas.",
  ],
];

describe("rules that cannot be used", () => {
  for (const [schema, message] of refused) {
    test(`${JSON.stringify(schema).slice(0, 100)}`, () => {
      expect(() => readRules({ p: schema }, "rules.json")).toThrow("rules.json: p");
      expect(() => readRules({ p: schema }, "rules.json")).toThrow(message);
    });
  }

  test("rewrite rules are pointed to their option", () => {
    expect(() => readRules({ "/api/*": "/$1" }, "rules.json")).toThrow(
      'rules.json: "/api/*" looks like a rewrite rule. Rules are JSON Schemas, one for each collection; rewrite rules belong to the option routes.',
    );
  });
});

describe("rules that can be used", () => {
  test("come from a file, whose name is in the message about its mistakes", () => {
    const folder = mkdtempSync(join(tmpdir(), "rules-"));
    const file = join(folder, "rules.json");
    writeFileSync(file, '{ "p": { "required": ["a"] } }');
    expect([...loadRules(file).keys()]).toEqual(["p"]);
    writeFileSync(file, '{ "p": }');
    expect(() => loadRules(file)).toThrow(`The rules file ${file} cannot be read: line 1, column 8`);
    expect(() => loadRules(join(folder, "none.json"))).toThrow("it does not exist.");
    rmSync(folder, { recursive: true });
  });

  test("definitions at the top of the file are for all collections", async () => {
    const rules = readRules(
      { $defs: { price: { minimum: 0 } }, p: { items: { $ref: "#/$defs/price" } } },
      "rules.json",
    );
    const judges = await compileRules(rules);
    expect([...judges.keys()]).toEqual(["p"]);
    expect(judges.get("p")!([1, -1])).toMatchObject([{ pointer: "/1", rule: "minimum" }]);
  });

  test("x-unique and x-references are taken out of the schema", () => {
    const given = {
      type: "object",
      "x-unique": ["sku", "sku"],
      "x-references": { a: "b", c: { collection: "d", onDelete: "refuse" } },
    };
    expect(readRules({ p: given }, "rules.json").get("p")).toMatchObject({
      schema: { type: "object" },
      unique: ["sku"],
      references: { a: { collection: "b", onDelete: "allow" }, c: { collection: "d", onDelete: "refuse" } },
    });
  });

  const trees: readonly JsonObject[] = [
    { properties: { left: { $ref: "#" }, right: { $ref: "#" }, children: { items: { $ref: "#" } } } },
    { properties: { a: { $ref: "#" } }, additionalProperties: { $ref: "#" } },
    { prefixItems: [{ $ref: "#" }], items: { $ref: "#" } },
    { $defs: { base: { required: ["id"] } }, allOf: [{ $ref: "#/$defs/base" }], properties: { a: { $ref: "#" } } },
  ];
  for (const tree of trees) {
    test(`recursion into different values does not grow: ${JSON.stringify(tree)}`, () => {
      expect(readRules({ p: tree }, "rules.json").size).toBe(1);
    });
  }
});

test("4,000 generated pairs of schema and record agree with plain Ajv", async () => {
  const valid = await compareWithAjv({ schemas: 40, recordsEach: 100, seed: 1 });
  expect(valid).toBeGreaterThan(400);
  expect(valid).toBeLessThan(3600);
});

/** A text of two letters without a period, for which automata need ever new states. */
function unruly(length: number, first = 1): string {
  let text = "";
  for (let at = 0, seed = first; at < length; at++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    text += (seed >> 16) & 1 ? "a" : "b";
  }
  return text;
}

/** A pattern for whose every text the engine makes new states. */
const MANY_STATES = "^(a|b)*a(a|b){200}$";

/** Texts that all match it, or none: more than any machine judges in the time that a record has. */
function manyUnruly(letter: "a" | "b"): string[] {
  return [...Array(500).keys()].map((at) => {
    const text = unruly(900, at + 1);
    return `${text.slice(0, -201)}${letter}${text.slice(-200)}`;
  });
}

/** CPU time of judging once the schema is compiled. */
async function cpuOf(schema: JsonObject, record: Json): Promise<{ ms: number; rules: string[] }> {
  const judge = (await compileRules(readRules({ one: schema }, "rules.json"))).get("one")!;
  judge(null);
  judge([null]);
  // The least of three: a thread that collects the garbage of other tests counts, too.
  const tries = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    const violations = judge(record);
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, rules: violations.map(({ rule }) => rule) };
  });
  return tries.reduce((least, one) => (one.ms < least.ms ? one : least));
}

let deep: Json = { name: 1 };
for (let level = 0; level < 900; level++) deep = { left: deep };

const hostile: readonly [what: string, schema: JsonObject, record: Json, rule: string | undefined][] = [
  ["nested repetitions", { pattern: "^(a+)+$" }, `${"a".repeat(30_000)}b`, "pattern"],
  ["a pattern of many states, for many texts", { items: { pattern: MANY_STATES } }, manyUnruly("a"), "too-costly"],
  ["a text that is too long for a pattern", { pattern: "^(?:[a-z]{1,50}){1,10}$" }, "a".repeat(100_000), "too-costly"],
  ["inside not, where no match is valid", { items: { not: { pattern: MANY_STATES } } }, manyUnruly("b"), "too-costly"],
  ["an email of 1 MB", { format: "email" }, `${"a.".repeat(500_000)}@b.c`, "format"],
  ["a URI of 1 MB", { format: "uri" }, `http://${"a:@".repeat(300_000)}`, "format"],
  ["a host name of 1 MB", { format: "hostname" }, "a-".repeat(500_000), "format"],
  [
    "a recursive schema, 900 levels deep",
    { properties: { left: { $ref: "#" }, name: { type: "string" } } },
    deep,
    "type",
  ],
  ["100,000 violations", { items: { type: "number", minimum: 1 } }, Array(100_000).fill("x"), "type"],
  [
    "more values than can be judged",
    { items: { anyOf: [{ type: "string" }, { type: "null" }] } },
    Array(500_000).fill(null),
    "too-costly",
  ],
  [
    "1,000 large elements that must be unique",
    { uniqueItems: true },
    [...Array(1000).keys()].map((at) => ({ at, same: Array(20).fill(1) })),
    undefined,
  ],
];

for (const [what, schema, record, rule] of hostile) {
  test(`${what}: judged without blocking others`, async () => {
    const { ms, rules } = await cpuOf(schema, record);
    expect(rules[0]).toBe(rule);
    // 50 ms on an idle machine; the engine compiles while it runs for the first time.
    expect(ms).toBeLessThan(limit(150));
  });
}
