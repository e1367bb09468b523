import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { describeJudgedWrites, type Place, RULES, START } from "./judged-writes.ts";

const agent = new Agent({ keepAlive: true });
let api: Standin<typeof START>;
let file: Standin<typeof START>;
beforeAll(async () => {
  const folder = createFolder({ "db.json": START });
  api = await createStandin({ data: START, rules: RULES });
  file = await createStandin<typeof START>({ source: join(folder, "db.json"), persist: true, rules: RULES });
});
afterAll(async () => {
  await api.close();
  await file.close();
  agent.destroy();
});

describeJudgedWrites("in memory", () => ({
  ask: (line, options) => askAt(api.url, line, { ...options, agent }),
  reset: () => api.reset(),
}));

describeJudgedWrites(
  "in a sandbox",
  (): Place => {
    const sandbox = api.sandbox("one");
    return {
      ask: (line, { headers, ...options } = {}) =>
        askAt(api.url, line, { ...options, agent, headers: { ...headers, ...sandbox.headers } }),
      reset: () => sandbox.reset(),
    };
  },
  0,
);

describeJudgedWrites(
  "on a data file",
  () => ({
    ask: (line, options) => askAt(file.url, line, { ...options, agent }),
    reset: () => file.reset(),
  }),
  1,
);

test("a refused write leaves the file as it was", async () => {
  const source = join(createFolder({ "db.json": START }), "db.json");
  const before = readFileSync(source, "utf8");
  const own = await createStandin<typeof START>({ source, persist: true, rules: RULES });
  expect((await askAt(own.url, "POST /products", { body: {} })).status).toBe(422);
  // Everything is saved by then.
  await own.close();
  expect(readFileSync(source, "utf8")).toBe(before);
});

describe("programs", () => {
  test("api.db and api.batch are judged", async () => {
    await expect(api.db.products.create({ price: -1 } as never)).rejects.toMatchObject({ code: "RECORD_INVALID" });
    await expect(api.db.products.update(1, { sku: "b" })).rejects.toMatchObject({ code: "RECORD_INVALID" });
    await expect(api.db.companies.remove(1)).rejects.toMatchObject({ code: "RECORD_REFERENCED" });
    const requests = [{ method: "POST", path: "/products", body: {} }] as const;
    await expect(api.batch(requests as never)).rejects.toMatchObject({ code: "RECORD_INVALID", failed: 0 });
  });

  test("rewrite rules given as rules are refused with the option they belong to", async () => {
    await expect(createStandin({ data: {}, rules: { "/api/*": "/$1" } })).rejects.toThrow(
      'createStandin: rules: "/api/*" looks like a rewrite rule. Rules are JSON Schemas, one for each collection; rewrite rules belong to the option routes.',
    );
  });
});

describe("data that breaks the rules at the start", () => {
  test("is served, with a warning that counts the records for each rule", async () => {
    const warnings: string[] = [];
    const data = {
      products: [
        { id: 1, price: -1, sku: "a" },
        { id: 2, price: -2, sku: "a", company_id: 5 },
        { id: 3, price: 1 },
      ],
      prodcuts: [],
    };
    const rules = { ...RULES, produts: {} };
    await using broken = await createStandin({ data, rules, warn: (text) => warnings.push(text) });
    expect((await askAt(broken.url, "GET /products/1")).status).toBe(200);
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings).toEqual([
      'There are rules for "produts", which the data does not have. Did you mean "products"?',
      "products: 3 records break the rules (required at /name: 3, minimum at /price: 2, x-unique at /sku: 1, " +
        "x-references at /company_id: 1). The data is served as it is.",
    ]);
  });
});

test("a schema that forgets the id of records is warned of, and says so to writes", async () => {
  const warnings: string[] = [];
  const closed = { properties: { name: {} }, additionalProperties: false };
  await using api = await createStandin({
    data: { notes: [], settings: {}, tags: [] },
    rules: { notes: closed, settings: closed, tags: { ...closed, properties: { id: {}, name: {} } } },
    warn: (text) => warnings.push(text),
  });
  expect(warnings).toEqual([
    'The rules of notes do not allow the field id, which every record has: no write will pass. Add "id" to the properties.',
  ]);
  expect((await askAt(api.url, "POST /notes", { body: { name: "a" } })).body).toMatchObject({
    errors: [{ pointer: "/id", rule: "additionalProperties", message: "is not an allowed field" }],
  });
  expect((await askAt(api.url, "PATCH /settings", { body: { name: "a" } })).status).toBe(200);
  expect((await askAt(api.url, "POST /tags", { body: { name: "a" } })).status).toBe(201);
});

describe("a large collection", () => {
  test("is compared by an index, which follows every write", async () => {
    const products = Array.from({ length: 12_000 }, (_, at) => ({ id: at + 1, name: `Nr ${at}`, sku: `s${at}` }));
    await using large = await createStandin({ data: { companies: [], products }, rules: RULES });
    const ask = (line: string, body?: unknown) => askAt(large.url, line, { body });
    expect((await ask("POST /products", { name: "Twice", sku: "s11999" })).status).toBe(422);
    expect((await ask("POST /products", { name: "Once", sku: "n" })).status).toBe(201);
    expect((await ask("POST /products", { name: "Again", sku: "n" })).status).toBe(422);
    expect((await ask("DELETE /products?sku=n")).status).toBe(200);
    expect((await ask("POST /products", { name: "Again", sku: "n" })).status).toBe(201);
    expect((await ask("PATCH /products?id:lte=20", { sku: "same" })).status).toBe(422);
    expect((await ask("PATCH /products?id:lte=2100", { price: 3 })).status).toBe(200);
    expect((await ask("POST /products", { name: "Twice", sku: "s5" })).status).toBe(422);
  });
});
