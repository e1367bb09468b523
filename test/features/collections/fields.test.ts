import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";

const DATA = {
  products: [
    { id: 1, name: "Hat", price: 9.5 },
    { id: 2, name: null, price: 12 },
    { id: 3, price: 7, label: "x" },
  ],
  profile: { theme: "dark" },
};

let api: Standin<JsonObject>;
beforeAll(async () => {
  api = await createStandin<JsonObject>({ data: DATA, rules: { products: { required: ["price"] } } });
});
beforeEach(() => api.reset());
afterAll(() => api.close());
const ask = (line: string, body?: unknown) => askAt(api.url, line, body === undefined ? {} : { body });
const latest = async () => ((await ask("GET /__history")).body as { latest: number }).latest;
const texts = async () => JSON.stringify((await ask("GET /products")).body);

test("renaming a field keeps its place and its values, and is one change that can be reverted", async () => {
  const before = await latest();
  expect((await ask("PATCH /__collections/products/fields/name", { name: "title" })).body).toEqual({ count: 2 });
  expect(await texts()).toBe(
    '[{"id":1,"title":"Hat","price":9.5},{"id":2,"title":null,"price":12},{"id":3,"price":7,"label":"x"}]',
  );
  expect(await latest()).toBe(before + 1);
  await ask(`POST /__history/${before + 1}/revert`);
  expect(JSON.parse(await texts())).toEqual(DATA.products);
});

test("removing a field is one change; a dry run changes nothing", async () => {
  const headers = { Prefer: "tx=rollback" };
  expect((await askAt(api.url, "DELETE /__collections/products/fields/label", { headers })).body).toEqual({ count: 1 });
  expect(JSON.parse(await texts())).toEqual(DATA.products);
  expect((await ask("DELETE /__collections/products/fields/label")).body).toEqual({ count: 1 });
  expect(await texts()).not.toContain("label");
});

test.each([
  ["PATCH /__collections/products/fields/label", { name: "price" }, 409, "FIELD_EXISTS"],
  ["PATCH /__collections/products/fields/price", { name: "cost" }, 422, "RECORD_INVALID"],
  ["PATCH /__collections/products/fields/id", { name: "key" }, 400, "FIELD_INVALID"],
  ["PATCH /__collections/products/fields/price", { name: "id" }, 400, "FIELD_INVALID"],
  ["PATCH /__collections/products/fields/price", { name: "" }, 400, "FIELD_INVALID"],
  ["PATCH /__collections/products/fields/price", {}, 400, "FIELD_INVALID"],
  ["PATCH /__collections/products/fields/nope", { name: "cost" }, 400, "QUERY_FIELD_UNKNOWN"],
  ["DELETE /__collections/profile/fields/theme", undefined, 400, "FIELD_INVALID"],
  ["DELETE /__collections/nope/fields/price", undefined, 404, "COLLECTION_NOT_FOUND"],
])("%s %j is %i %s, and changes nothing", async (line, body, status, code) => {
  const response = await ask(line, body);
  expect([response.status, codeOf(response)]).toEqual([status, code]);
  expect(JSON.parse(await texts())).toEqual(DATA.products);
});
