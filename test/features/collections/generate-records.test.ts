import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";

let api: Standin<JsonObject>;
beforeAll(async () => {
  api = await createStandin<JsonObject>({
    data: {
      products: [
        { id: 1, name: "Hat", price: 9.5, maker_id: 1 },
        { id: 2, name: "Cap", price: 12, maker_id: 1 },
      ],
      makers: [{ id: 1, email: "ada@example.com" }],
      visits: [],
      profile: {},
    },
    rules: { makers: { properties: { email: { format: "email" } }, required: ["email"], "x-unique": ["email"] } },
  });
});
afterAll(() => api.close());
const generate = (name: string, body: object, headers = {}) =>
  askAt(api.url, `POST /__collections/${name}/generate`, { body, headers });
const versions = async () => ((await askAt(api.url, "GET /__history")).body as { versions: unknown[] }).versions.length;

test("as many records as wished, like those that are there, in one version", async () => {
  const before = await versions();
  const { status, body } = await generate("products", { count: 300, fields: { name: "Mine" } });
  expect([status, body]).toMatchObject([201, { count: 300, ids: { length: 300 } }]);
  expect(await versions()).toBe(before + 1);
  const made = (await askAt(api.url, "GET /products?id:gt=2&_limit=500")).body as JsonObject[];
  expect(made).toHaveLength(300);
  for (const one of made) {
    expect(one).toEqual({ id: expect.any(Number), name: "Mine", price: expect.any(Number), maker_id: 1 });
  }
});

test("by the rules, with values that no other record has; a dry run stores nothing", async () => {
  const trial = await generate("makers", { count: 5 }, { Prefer: "tx=rollback" });
  expect([trial.status, trial.body]).toMatchObject([201, { count: 5 }]);
  expect((await askAt(api.url, "GET /makers")).body).toHaveLength(1);
  await generate("makers", { count: 50 });
  const made = (await askAt(api.url, "GET /makers?_limit=100")).body as JsonObject[];
  expect(new Set(made.map(({ email }) => email)).size).toBe(51);
});

for (const [name, body, status, code] of [
  ["products", { count: 0 }, 400, "QUERY_INVALID"],
  ["products", { count: 10_001 }, 400, "QUERY_INVALID"],
  ["products", {}, 400, "QUERY_INVALID"],
  ["products", { count: 1, fields: [] }, 400, "QUERY_INVALID"],
  ["visits", { count: 1 }, 400, "COLLECTION_INVALID"],
  ["profile", { count: 1 }, 404, "COLLECTION_NOT_FOUND"],
  ["nothing", { count: 1 }, 404, "COLLECTION_NOT_FOUND"],
] as const) {
  test(`${name} with ${JSON.stringify(body)}: ${status} ${code}`, async () => {
    const answer = await generate(name, body);
    expect([answer.status, answer.body]).toMatchObject([status, { code }]);
  });
}
