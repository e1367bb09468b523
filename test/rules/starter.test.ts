import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import { type CheckedMember, checkData, type RuleFinding } from "../../src/schema/rules/check-data.ts";
import { readRules } from "../../src/schema/rules/read-rules.ts";
import { renderRules, type StarterOptions, StarterRules } from "../../src/schema/rules/starter-rules.ts";
import { readSource } from "../../src/store/sources/read-source.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { ODD_DATABASES } from "../support/odd-databases.ts";
import { randomDatabase } from "../support/random-databases.ts";
import { IS_SOAK } from "../support/soak.ts";

const DATABASES = IS_SOAK ? 50 : 12;

async function* membersOf(database: JsonObject): AsyncGenerator<CheckedMember> {
  for (const [name, value] of Object.entries(database)) {
    if (Array.isArray(value)) yield { kind: "collection", name, values: value };
    else yield { kind: isJsonObject(value) ? "singleton" : "aside", name, value };
  }
}

async function starterFor(database: JsonObject, options: Partial<StarterOptions> = {}): Promise<JsonObject> {
  const starter = new StarterRules({ idKeyOf: () => "id", foreignKeySuffix: undefined, ranges: false, ...options });
  for await (const member of membersOf(database)) {
    if (member.kind === "collection") await starter.addCollection(member.name, member.values);
    else if (member.kind === "singleton") starter.addSingleton(member.name, member.value);
  }
  return JSON.parse(renderRules(starter.finish())) as JsonObject;
}

async function findingsIn(database: JsonObject, rules: JsonObject): Promise<RuleFinding[]> {
  const found: RuleFinding[] = [];
  await checkData({
    rules: readRules(rules, "rules.json"),
    idKeyOf: () => "id",
    read: () => membersOf(database),
    report: (finding) => found.push(finding),
  });
  return found;
}

describe("a starter accepts the data it comes from", () => {
  test(`${DATABASES} generated databases, half of them with ranges`, async () => {
    let rules = 0;
    for (let seed = 1; seed <= DATABASES; seed++) {
      const database = randomDatabase(seed);
      const starter = await starterFor(database, { ranges: seed % 2 === 0 });
      expect(await findingsIn(database, starter), `seed ${seed}`).toEqual([]);
      rules += JSON.stringify(starter).match(/"(enum|format|x-unique|x-references|required|items)"/g)?.length ?? 0;
    }
    expect(rules).toBeGreaterThan(DATABASES * 5);
  });

  for (const [name, database] of Object.entries(ODD_DATABASES)) {
    test(name, async () => {
      const starter = await starterFor(database, { ranges: true });
      expect(Object.keys(starter)).toEqual(Object.keys(database).filter((key) => key !== "$schema"));
      expect(await findingsIn(database, starter)).toEqual([]);
    });
  }
});

test("a starter for more fields than rules may have describes some of them", async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `o${at}`,
      Object.fromEntries(Array.from({ length: 50 }, (_, to) => [`f${to}`, [to]])),
    ]),
  );
  const database = {
    things: [
      { id: 1, ...wide },
      { ...wide, late: 1, id: 2 },
      { id: 3, late: "text", o59: { f49: "text" } },
    ],
  };
  expect(await findingsIn(database, await starterFor(database))).toEqual([]);
});

describe("a starter says", () => {
  const cases: readonly (readonly [what: string, values: readonly Json[], schema: JsonObject, name?: string])[] = [
    ["integers", [1, 2], { type: "integer" }],
    ["numbers, if one has decimals", [1, 2.5], { type: "number" }],
    ["numbers for whole prices", [1, 2], { type: "number" }, "price"],
    ["null beside the type", [1, null], { type: ["integer", "null"] }],
    ["nothing about what was always null", [null, null], {}],
    ["several types", [1, "x", true], { type: ["string", "integer", "boolean"] }],
    ["date-time", ["2026-01-31T10:00:00Z"], { type: "string", format: "date-time" }],
    ["date", ["2026-01-31", null], { type: ["string", "null"], format: "date" }],
    ["no date that does not exist", ["2026-02-31"], { type: "string" }],
    ["email", ["a@example.com"], { type: "string", format: "email" }],
    ["uri", ["https://example.com/"], { type: "string", format: "uri" }],
    ["no uri for a text with a colon", ["note:later"], { type: "string" }],
    ["uuid", ["0123abcd-0123-4567-89ab-0123456789ab"], { type: "string", format: "uuid" }],
    ["a choice by its name", ["a", "b", "a", "b"], { type: "string", enum: ["a", "b"] }, "status"],
    ["no choice after a few of any name", ["a", "b", "a", "b"], { type: "string" }],
    ["a choice after many", [..."abababababa"], { type: "string", enum: ["a", "b"] }],
    ["null in a choice", ["a", "b", "a", "b", null], { type: ["string", "null"], enum: ["a", "b", null] }, "status"],
    ["no choice for names", [..."abababababa"], { type: "string" }, "first_name"],
    ["no choice for ids", [..."abababababa"], { type: "string" }, "session_id"],
    ["items", [[1], [2, null], []], { type: "array", items: { type: ["integer", "null"] } }],
    ["no items for empty lists", [[]], { type: "array" }],
    [
      "nested objects, and which of their fields are required",
      [{ a: 1 }, { a: 2, b: "x" }],
      { type: "object", required: ["a"], properties: { a: { type: "integer" }, b: { type: "string" } } },
    ],
    [
      "dictionaries",
      [Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, at]))],
      { type: "object", additionalProperties: { type: "integer" } },
    ],
  ];
  for (const [what, values, schema, name = "x"] of cases) {
    test(what, async () => {
      const { things } = await starterFor({ things: values.map((value) => ({ [name]: value })) });
      expect((things as { properties: JsonObject }).properties[name]).toEqual(schema);
    });
  }

  test("ranges on request, but not for ids and references", async () => {
    const database = {
      companies: [{ id: 1 }, { id: 2 }],
      products: [
        { id: 1, company_id: 1, price: 2, name: "Hat", tags: [] },
        { id: 2, company_id: 2, price: 9.5, name: "\ud83d\ude00", tags: ["a"] },
      ],
    };
    const { products } = await starterFor(database, { ranges: true });
    expect((products as JsonObject).properties).toEqual({
      id: { type: "integer" },
      company_id: { type: "integer" },
      price: { type: "number", minimum: 2, maximum: 9.5 },
      name: { type: "string", minLength: 1, maxLength: 3 },
      tags: { type: "array", minItems: 0, maxItems: 1, items: { type: "string", minLength: 1, maxLength: 1 } },
    });
  });

  test("unique where values differ and look like keys; references where every key has its record", async () => {
    const notes: string[] = [];
    const starter = await starterFor(
      {
        products: [
          { id: 1, sku: "a", name: "x", company_id: 1, user_id: 7, tag_ids: [1, 2] },
          { id: 2, sku: "b", name: "y", company_id: "2", user_id: 1, tag_ids: [] },
        ],
        companies: [
          { id: 1, slug: "a" },
          { id: 2, slug: "a" },
        ],
        users: [{ id: 1 }],
        tags: [{ id: 1 }, { id: 2 }],
      },
      { note: (text) => notes.push(text) },
    );
    expect(starter.products).toMatchObject({
      "x-unique": ["id", "sku"],
      "x-references": { company_id: "companies", tag_ids: "tags" },
    });
    expect((starter.companies as JsonObject)["x-unique"]).toEqual(["id"]);
    expect(notes).toEqual([
      "products.user_id: some values have no record in users, so there is no reference rule for it.",
    ]);
  });
});

describe("standin rules", () => {
  const SHOP = {
    products: [
      { id: 1, company_id: 1 },
      { id: 2, company_id: 1 },
    ],
    companies: [{ id: 1 }],
  };

  test("prints rules that a rules file may have, from a file, a folder and a module", async () => {
    const folder = createFolder({
      "db.json": SHOP,
      "data/products.json": SHOP.products,
      "data/companies.json": SHOP.companies,
      "data.cjs": `module.exports = ${JSON.stringify(SHOP)};`,
    });
    for (const words of [[], ["db.json"], ["data"], ["data.cjs"]]) {
      const { output, exit } = runKept(["rules", ...words], folder);
      expect([await exit, output.stderr]).toEqual([0, ""]);
      expect(JSON.parse(output.stdout)).toEqual(await starterFor(SHOP));
    }
  });

  test("a source that does not exist is refused", async () => {
    const { output, exit } = runKept(["rules", "nothing.json"], createFolder());
    expect(await exit).toBe(1);
    expect(output).toEqual({ stdout: "", stderr: "standin: nothing.json does not exist.\n" });
  });
});

describe("a large source is read in pieces", () => {
  const options = { idKey: "id", warn: () => {}, maxLoadedBytes: 0 };

  async function read(source: string): Promise<JsonObject> {
    const database: JsonObject = {};
    await readSource(source, options, async (members) => {
      for (let pass = 0; pass < 2; pass++) {
        for await (const member of members()) {
          if (member.kind !== "collection") database[member.name] = member.value;
          else {
            const records: Json[] = [];
            for await (const record of member.values) records.push(record);
            database[member.name] = records;
          }
        }
      }
    });
    return database;
  }

  const DATA = { products: [{ id: 1 }, { id: 2 }], settings: { theme: "dark" } };

  test("a file, a folder", async () => {
    const folder = createFolder({
      "db.json": DATA,
      "d/products.json": DATA.products,
      "d/settings.json": DATA.settings,
    });
    expect(await read(join(folder, "db.json"))).toEqual(DATA);
    expect(await read(join(folder, "d"))).toEqual(DATA);
  });

  test("a mistake names the file and its place", async () => {
    const folder = createFolder({ "db.json": '{ "products": [{ "id": 1 }, }' });
    await expect(read(join(folder, "db.json"))).rejects.toThrow(/db\.json: line 1, column 29: /);
  });

  test("a journal of unsaved changes is not left out", async () => {
    const folder = createFolder({ "db.json": DATA });
    const file = join(folder, "db.json");
    const { openFiles } = await import("../../src/store/file/open-files.ts");
    const { singleFile } = await import("../../src/store/file/layout.ts");
    const store = await openFiles(singleFile(file), {
      idKey: "id",
      durability: "process",
      followsOutside: false,
      warn: () => {},
    });
    await store.apply({ kind: "create", collection: "products", bodies: [{ name: "new" }] });
    const before = readFileSync(file, "utf8");
    expect((await read(file)).products).toHaveLength(3);
    writeFileSync(file, before);
    await store.close();
  });
});
