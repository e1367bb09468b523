import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const RULES = {
  products: {
    required: ["name"],
    properties: { name: { type: "string" }, price: { type: "number", minimum: 0 } },
    "x-unique": ["sku"],
    "x-references": { company_id: "companies", tag_ids: "tags" },
  },
  companies: { properties: { name: { type: "string", minLength: 1 } } },
  settings: { properties: { theme: { enum: ["dark", "light"] } } },
};
const CLEAN = {
  products: [
    { id: 1, name: "Hat", price: 1, sku: "a", company_id: 1, tag_ids: [1, "2"] },
    { id: 2, name: "Cap", sku: null, company_id: "1" },
    { id: 3, name: "Cup", sku: null, company_id: null },
  ],
  companies: [{ id: 1, name: "Blue" }],
  tags: [{ id: 1 }, { id: 2 }],
  settings: { theme: "dark" },
};
const BROKEN = {
  products: [
    { id: 1, price: -1, sku: "a", company_id: 9, tag_ids: [1, 7] },
    { id: "two", name: 2, sku: "a" },
    { name: "no id", sku: "a" },
  ],
  companies: [{ id: 1, name: "" }],
  tags: [{ id: 1 }],
  settings: { theme: "blue" },
};

async function check(database: JsonObject, words: readonly string[] = [], rules: object = RULES) {
  const folder = createFolder({ "db.json": database, "rules.json": rules });
  const { output, exit } = runKept(["check", "--rules", "rules.json", ...words], folder);
  const code = await exit;
  return { code, ...output };
}

describe("standin check", () => {
  test("data that keeps the rules: exit code 0", async () => {
    expect(await check(CLEAN)).toEqual({ code: 0, stdout: "5 records of db.json meet the rules.\n", stderr: "" });
  });

  test("every violation with its record, pointer and rule: exit code 1", async () => {
    const { code, stdout, stderr } = await check(BROKEN);
    expect(stderr).toBe("");
    expect(stdout).toBe(`products/1 /name required: is required
products/1 /price minimum: must be at least 0 (given -1)
products/1 /company_id x-references: must be the id of a record of companies (given 9)
products/1 /tag_ids/1 x-references: must be the id of a record of tags (given 7)
products/two /name type: must be a string (given 2)
products/two /sku x-unique: must be unique; products/1 has the same value (given "a")
products[2] /sku x-unique: must be unique; products/1 has the same value (given "a")
companies/1 /name minLength: must have at least 1 character (given "")
settings[0] /theme enum: must be one of "dark", "light" (given "blue")

9 violations in 5 records of db.json.
`);
    expect(code).toBe(1);
  });

  test("--format json is one object", async () => {
    const { code, stdout } = await check(BROKEN, ["--format", "json"]);
    const { violations, records, count } = JSON.parse(stdout);
    expect([code, records, count]).toEqual([1, 5, 9]);
    expect(violations[1]).toEqual({
      collection: "products",
      id: 1,
      index: 0,
      pointer: "/price",
      rule: "minimum",
      message: "must be at least 0",
      given: -1,
    });
    expect(violations[6]).toMatchObject({ id: null, index: 2, pointer: "/sku", rule: "x-unique" });
  });

  test("--format json without violations", async () => {
    const { code, stdout } = await check(CLEAN, ["--format", "json"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { violations: [], records: 5, count: 0 }]);
  });

  test("--quiet prints violations only", async () => {
    expect(await check(CLEAN, ["--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await check(BROKEN, ["--quiet"])).stdout.split("\n")).toHaveLength(10);
  });

  test("rules and source of the config file are used", async () => {
    const folder = createFolder({ "shop.json": CLEAN, "standin.json": { source: "shop.json", rules: RULES } });
    const { output, exit } = runKept(["check"], folder);
    expect([await exit, output.stdout]).toEqual([0, "5 records of shop.json meet the rules.\n"]);
  });

  test("rules for a collection that is missing are mentioned", async () => {
    const { code, stderr } = await check({ products: [] }, [], { products: {}, orders: {} });
    expect([code, stderr]).toEqual([0, '  note there are rules for "orders", but the data has no such collection.\n']);
  });

  test("a misspelt collection is a mistake: exit code 1, with the nearest name", async () => {
    const some = await check(CLEAN, ["--quiet"], { companies: {}, product: {} });
    const said = 'there are rules for "product", but the data has no such collection. Did you mean "products"?';
    expect(some).toEqual({ code: 1, stdout: "", stderr: `  error ${said}\n` });
    const none = await check(CLEAN, [], { product: {}, orders: {} });
    const orders = 'there are rules for "orders", but the data has no such collection.';
    expect(none).toEqual({ code: 1, stdout: "", stderr: `  error nothing was checked: ${said}\n  error ${orders}\n` });
  });

  test("rules without a collection, and collections without a record, are not said to meet rules", async () => {
    const stderr = "  error nothing was checked: rules.json has no rules. standin rules prints some.\n";
    expect(await check(CLEAN, [], {})).toEqual({ code: 1, stdout: "", stderr });
    const stdout = "Nothing to check: db.json has no records with rules.\n";
    expect(await check({ products: [] }, [], { products: {} })).toEqual({ code: 0, stdout, stderr: "" });
  });

  test("a reference to a collection that does not exist is one finding", async () => {
    const { code, stdout } = await check(CLEAN, [], { products: { "x-references": { company_id: "compnies" } } });
    expect([code, stdout]).toEqual([
      1,
      'products/1 /company_id x-references: refers to compnies, which the data does not have. Did you mean "companies"?\n\n1 violation in 3 records of db.json.\n',
    ]);
  });

  test("terminal codes in the data do not reach the terminal", async () => {
    const { stdout } = await check({ products: [{ id: "\u001b[2J", name: "x", "\u009b": 1 }] }, [], {
      products: { additionalProperties: false, properties: { id: {}, name: {} } },
    });
    expect(stdout).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  const refused = [
    [[], "check needs rules: standin check db.json --rules rules.json."],
    [["--rules", "none.json"], "The rules file none.json cannot be read: "],
    [["--rules", "rules.json", "a.json", "b.json"], "check reads one source, but was given 2."],
    [["--rules", "rules.json", "--format", "xml"], "--format"],
    [["--rules", "bad.json"], "bad.json: products.propertys: "],
    [["--rules", "x.json"], 'x.json: products.x-unqiue: is not a rule. Did you mean "x-unique"?'],
  ] as const;
  for (const [words, message] of refused) {
    test(`check ${words.join(" ")} is refused`, async () => {
      const folder = createFolder({
        "rules.json": RULES,
        "bad.json": { products: { propertys: {} } },
        "x.json": { products: { "x-unqiue": ["sku"] } },
        "db.json": CLEAN,
      });
      const { output, exit } = runKept(["check", ...words], folder);
      expect(await exit).toBe(1);
      expect(output.stdout).toBe("");
      expect(output.stderr).toContain(`standin: ${message}`);
    });
  }
});
