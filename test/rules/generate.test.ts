import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createFolder } from "../support/cli.ts";
import { findingsIn, generated, keysOf, type Records, rejectedIn, textFor } from "../support/generated-data.ts";
import { runKept } from "../support/kept-process.ts";
import { randomRules } from "../support/random-rules.ts";

test("generated data pass their rules, for 30 generated rule files", async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const rules = randomRules(seed);
    const text = await textFor(rules, 3, seed);
    const database = JSON.parse(text) as Records;
    expect(text, `seed ${seed}`).toBe(`${JSON.stringify(database, null, 2)}\n`);
    expect(await findingsIn(database, keysOf(rules)), `seed ${seed}`).toEqual([]);
    expect(rejectedIn(database, rules), `seed ${seed}`).toEqual([]);
  }
});

/** Each of these has only this much room: every value must be the one expected. */
const narrow: readonly (readonly [schema: JsonObject, isRight: (value: Json) => boolean])[] = [
  [{ type: "integer", exclusiveMinimum: 4, exclusiveMaximum: 6 }, (value) => value === 5],
  [{ type: "number", multipleOf: 0.1, minimum: 0.25, maximum: 0.35 }, (value) => value === 0.3],
  [{ type: "number", multipleOf: 7, minimum: 1, maximum: 7 }, (value) => value === 7],
  [{ type: "number", multipleOf: 0.05, minimum: 0, maximum: 100 }, (value) => String(value).length <= 5],
  [
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.0001 },
    (value) => Number(value) > 0 && Number(value) < 0.0001,
  ],
  [{ type: "integer", minimum: 1e12, maximum: 1e12 + 1 }, (value) => Number(value) >= 1e12],
  [{ type: "number", maximum: -1000 }, (value) => Number(value) <= -1000],
  [{ type: "string", minLength: 30, maxLength: 30 }, (value) => String(value).length === 30],
  [{ type: "string", maxLength: 0 }, (value) => value === ""],
  [{ type: "string", pattern: "^a{20}b?$", maxLength: 20 }, (value) => value === "a".repeat(20)],
  [
    { type: "string", pattern: "^[a-z]+$", minLength: 40, maxLength: 41 },
    (value) => /^[a-z]{40,41}$/.test(String(value)),
  ],
  [
    { type: "string", pattern: "^[^\\x00-\\x{7f}]$".replace("\\x{7f}", "\\u007f") },
    (value) => /^[\u0080-\uffff]$/.test(String(value)),
  ],
  [{ type: "string", format: "date", pattern: "-0[12]-" }, (value) => /^\d{4}-0[12]-\d\d$/.test(String(value))],
  [
    { allOf: [{ pattern: "x" }, { pattern: "y" }], type: "string" },
    (value) => /x/.test(String(value)) && /y/.test(String(value)),
  ],
  [
    { type: "array", minItems: 3, uniqueItems: true, items: { enum: [1, 2, 3] } },
    (value) => new Set(value as Json[]).size === 3,
  ],
  [
    { type: "array", minItems: 40, uniqueItems: true, items: { type: "integer", minimum: 1, maximum: 40 } },
    (value) => new Set(value as Json[]).size === 40,
  ],
  [{ type: "array", contains: { const: 7 }, maxItems: 1 }, (value) => JSON.stringify(value) === "[7]"],
  [
    { type: "array", prefixItems: [{ const: 1 }, { const: "b" }], items: false, minItems: 2 },
    (value) => JSON.stringify(value) === '[1,"b"]',
  ],
  [
    { type: "object", patternProperties: { "^k\\d$": { const: 1 } }, additionalProperties: false, minProperties: 3 },
    (value) => Object.keys(value as object).length === 3,
  ],
  [
    {
      oneOf: [
        { type: "integer", minimum: 5 },
        { type: "integer", maximum: 10 },
      ],
    },
    (value) => Number(value) < 5 || Number(value) > 10,
  ],
  [{ not: { type: ["string", "number", "object", "array", "boolean"] } }, (value) => value === null],
  [{ type: "string", enum: ["a", "b"], not: { const: "a" } }, (value) => value === "b"],
  [{ $ref: "#/$defs/node" }, (value) => typeof (value as JsonObject).end === "boolean"],
];
for (const [schema, isRight] of narrow) {
  test(`a value for ${JSON.stringify(schema)}`, async () => {
    const node = {
      type: "object",
      required: ["end"],
      properties: { end: { type: "boolean" }, next: { $ref: "#/$defs/node" } },
    };
    const rules = { things: { required: ["x"], properties: { x: schema }, $defs: { node } } };
    const { things } = await generated(rules, 8);
    expect(things!.filter(({ x }) => !isRight(x!))).toEqual([]);
    expect(await findingsIn({ things: things! }, rules)).toEqual([]);
  });
}

/** Rules that no record can keep, and what the message says of them. */
const impossible: readonly (readonly [rules: JsonObject, message: string])[] = [
  [{ required: ["x"], properties: { x: { minimum: 2, maximum: 1, type: "integer" } } }, "/x (rule maximum)"],
  [{ required: ["x"], properties: { x: { type: "string", minLength: 5, maxLength: 4 } } }, "/x (rule maxLength)"],
  [{ required: ["x"], properties: { x: { type: "string", pattern: "^abc$", maxLength: 2 } } }, "/x (rule pattern)"],
  [{ required: ["x"], properties: { x: { type: "string", format: "uuid", maxLength: 5 } } }, "/x (rule format)"],
  [{ required: ["x"], properties: { x: false } }, "/x (rule false)"],
  [
    { required: ["x"], properties: { x: { type: "array", items: { const: 1 }, uniqueItems: true, minItems: 2 } } },
    "/x/1 (rule uniqueItems)",
  ],
  [{ required: ["x"], properties: { x: { allOf: [{ type: "string" }, { type: "integer" }] } } }, "/x (rule type)"],
  [{ required: ["x"], properties: { x: { enum: [1, 2], type: "string" } } }, "/x (rule enum)"],
  [{ required: ["x"], properties: { x: { not: {} } } }, "/x (rule not)"],
  [
    {
      required: ["x"],
      properties: { x: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "object", required: ["a"], properties: { a: { $ref: "#/$defs/a" } } } },
    },
    "(rule $ref)",
  ],
  [{ additionalProperties: false, properties: { name: {} } }, "/id (rule additionalProperties)"],
  [
    { properties: { x: { enum: ["a", "b"] } }, required: ["x"], "x-unique": ["x"] },
    "record 3 of things: /x (rule x-unique)",
  ],
  [{ properties: { id: { type: "integer", maximum: 4 } } }, "/id (rule maximum)"],
  [
    { required: ["other_id"], properties: { other_id: { type: "integer" } }, "x-references": { other_id: "others" } },
    "/other_id (rule x-references): others has no records",
  ],
];
for (const [rules, message] of impossible) {
  test(`no record for ${JSON.stringify(rules)}`, async () => {
    const failure = generated({ things: rules }, 5).catch((thrown: Error) => thrown.message);
    expect(await failure).toMatch(/^Cannot generate (record \d of )?things: /);
    expect(await failure).toContain(message);
  });
}

describe("references", () => {
  test("lead to records also in circles, and within a collection to records before", async () => {
    const rules = {
      users: {
        required: ["company_id"],
        properties: { id: { type: "string", format: "uuid" }, company_id: { type: "integer" } },
        "x-references": { company_id: "companies" },
      },
      companies: {
        required: ["owner_id"],
        properties: { owner_id: { type: "string" } },
        "x-references": { owner_id: "users" },
      },
      folders: {
        required: ["folder_id"],
        properties: { folder_id: { type: "integer" } },
        "x-references": { folder_id: "folders" },
      },
    };
    const database = await generated(rules, 30);
    expect(await findingsIn(database, rules)).toEqual([]);
    expect(
      database.folders!.filter(({ id, folder_id }) => (folder_id as number) >= (id as number)).map(({ id }) => id),
    ).toEqual([1]);
  });

  test("that are unique belong to one record each", async () => {
    const rules = {
      users: {},
      profiles: {
        required: ["user_id"],
        properties: { user_id: { type: "integer" } },
        "x-unique": ["user_id"],
        "x-references": { user_id: "users" },
      },
    };
    const { profiles } = await generated(rules, 40);
    expect(new Set(profiles!.map(({ user_id }) => user_id)).size).toBe(40);
  });
});

test("unique texts are kept apart, also where few come to mind", async () => {
  const rules = {
    users: {
      required: ["email", "gender"],
      properties: { email: { type: "string", format: "email" }, gender: { type: "string" } },
      "x-unique": ["email", "gender"],
    },
  };
  const database = await generated(rules, 200);
  expect(await findingsIn(database, rules)).toEqual([]);
});

test("values suit the names of their fields", async () => {
  const text = { type: "string" };
  const names = ["name", "email", "city", "phone", "website", "price", "latitude", "created_at", "sku"];
  const properties = Object.fromEntries(
    names.map((name) => [name, /price|latitude/.test(name) ? { type: "number" } : text]),
  );
  const { users } = await generated({ users: { required: names, properties } }, 20);
  for (const user of users!) {
    expect(user).toMatchObject({
      email: expect.stringMatching(/^[^@ ]+@example\.(com|net|org)$/),
      name: expect.stringMatching(/^\S+ \S+/),
      phone: expect.stringMatching(/^\+\d+$/),
      website: expect.stringMatching(/^https:/),
      created_at: expect.stringMatching(/^202[45]-\d\d-\d\dT/),
      sku: expect.stringMatching(/^[A-Z]{3}-\d{5}$/),
    });
    expect(Math.abs(user.latitude as number)).toBeLessThanOrEqual(90);
    expect(user.price).toBe(Number((user.price as number).toFixed(2)));
  }
});

describe("standin generate --rules", () => {
  const RULES = {
    products: {
      required: ["company_id"],
      properties: { company_id: { type: "integer" } },
      "x-references": { company_id: "companies" },
    },
    companies: { properties: { name: { type: "string" } } },
    settings: { properties: { theme: { enum: ["dark"] } }, required: ["theme"] },
  };

  async function generate(words: readonly string[], files: Record<string, unknown> = {}) {
    const folder = createFolder({ "rules.json": RULES, ...files });
    const { output, exit } = runKept(["generate", "shop.json", "--rules", "rules.json", ...words], folder);
    const code = await exit;
    return { code, ...output, folder, text: () => readFileSync(join(folder, "shop.json"), "utf8") };
  }

  test("writes as many records as asked for, and a singleton", async () => {
    const { code, stdout, text } = await generate(["--counts", "products=700,companies=5,settings=one"]);
    expect([code, stdout]).toEqual([0, "Wrote 700 products, 5 companies and settings to shop.json\n"]);
    const { products, companies, settings } = JSON.parse(text());
    expect([products.length, companies.length, settings]).toEqual([700, 5, { theme: "dark" }]);
    expect(text()).toBe(`${JSON.stringify(JSON.parse(text()), null, 2)}\n`);
  });

  test("the same seed gives the same bytes, another seed others", async () => {
    const texts: string[] = [];
    for (const seed of ["7", "7", "8"]) texts.push((await generate(["--seed", seed])).text());
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).not.toBe(texts[0]);
    expect(JSON.parse(texts[0]!).products).toHaveLength(100);
  });

  const refused = [
    [["--counts", "products=x"], "--counts products=x: --counts expects names and numbers"],
    [["--counts", "product=1"], '--counts product: there are no rules for it. Did you mean "products"?'],
    [["--counts", "products=1,products=2"], "--counts names products twice."],
    [["--products", "5"], "--products does not go with --rules. Write --counts products=5."],
    [
      ["--counts", "companies=0"],
      "shop.json was not written: Cannot generate record 1 of products: /company_id (rule x-references)",
    ],
  ] as const;
  for (const [words, message] of refused) {
    test(`${words.join(" ")} is refused, and nothing is written`, async () => {
      const { code, stdout, stderr, folder } = await generate(words);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`standin: ${message}`);
      expect(readdirSync(folder)).toEqual(["rules.json"]);
    });
  }

  test("--counts without --rules is refused", async () => {
    const { output, exit } = runKept(["generate", "--counts", "products=1"], createFolder());
    expect([await exit, output.stderr]).toEqual([1, "standin: --counts needs --rules <file>.\n"]);
  });

  test("a file that does not look generated is left alone, unless --overwrite", async () => {
    const { code, stderr, text } = await generate([], { "shop.json": { mine: [1] } });
    expect([code, JSON.parse(text())]).toEqual([1, { mine: [1] }]);
    expect(stderr).toContain("does not look generated");
    expect((await generate(["--overwrite"], { "shop.json": { mine: [1] } })).code).toBe(0);
  });
});
