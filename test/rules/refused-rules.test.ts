import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/json.ts";
import { compileRules } from "../../src/rules/compile-rules.ts";
import { loadRules } from "../../src/rules/load-rules.ts";
import { readRules } from "../../src/rules/read-rules.ts";

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
    'p.x-references.company_id.onDelete: is "cascade"; allowed is "allow" or "refuse".',
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
    expect(() => loadRules(join(folder, "none.json"))).toThrow("ENOENT");
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
