import { afterAll, beforeAll, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";

const RULES = {
  orders: { "x-references": { company_id: "companies" }, "x-unique": ["code"] },
  products: { "x-references": { company_id: "companies" } },
  contracts: { "x-references": { company_id: { collection: "companies", onDelete: "refuse" } } },
};

let api: Standin;
beforeAll(async () => {
  api = await createStandin({
    data: {
      users: [
        { id: 1, email: "ann@shop.test" },
        { id: 2, email: "bob@shop.test" },
      ],
      orders: [
        { id: 1, user_id: 1, company_id: 2, code: "a" },
        { id: 2, user_id: 2, company_id: 2, code: "b" },
      ],
      products: [{ id: 1, company_id: 1 }],
      contracts: [{ id: 7, user_id: 2, company_id: 1 }],
      companies: [
        { id: 1, user_id: 1 },
        { id: 2, user_id: 2 },
      ],
    },
    rules: RULES,
    middlewares: ["sign-in"],
    layers: {
      "sign-in": { users: "users", name: "email", algorithm: "ES256", clients: [{ id: "web" }] },
    },
    access: {
      orders: { owner: "user_id", read: "owner", write: "owner" },
      products: { read: "anyone", write: "anyone" },
      companies: { owner: "user_id", read: "owner", write: "owner" },
    },
  });
});
afterAll(() => api.close());

async function asAnn(line: string, body?: unknown) {
  const headers = { authorization: `Bearer ${await api.tokenFor("ann@shop.test")}` };
  return askAt(api.url, line, { headers, body });
}

test("a reference to a hidden record is refused in the words for one that does not exist", async () => {
  const batch = (body: object) => ({ requests: [{ method: "POST", path: "/products", body }] });
  const ways: readonly (readonly [string, (id: number) => unknown])[] = [
    ["POST /orders", (id) => ({ company_id: id })],
    ["POST /products", (id) => ({ company_id: id })],
    ["PATCH /products/1", (id) => ({ company_id: id })],
    ["POST /__batch", (id) => batch({ company_id: id })],
  ];
  for (const [line, bodyFor] of ways) {
    const hidden = await asAnn(line, bodyFor(2));
    const absent = await asAnn(line, bodyFor(9));
    expect([line, hidden.status]).toEqual([line, 422]);
    expect(hidden.text.replaceAll(/"given":2\b/g, '"given":9')).toBe(absent.text);
  }
});

test("a reference that is there already may stay, and one to an own record may be made", async () => {
  expect((await asAnn("PATCH /orders/1", { sum: 5 })).body).toMatchObject({ company_id: 2, sum: 5 });
  expect((await asAnn("POST /orders", { company_id: 1, code: "c" })).status).toBe(201);
});

test("a value that a hidden record has is taken, without the id of the record", async () => {
  const taken = await asAnn("POST /orders", { code: "b" });
  expect(taken.status).toBe(422);
  expect(taken.text).toContain("must be unique.");
  expect((await asAnn("POST /orders", { code: "a" })).text).toContain("orders/1 has the same value");
});

test("a record that a hidden one needs stays, without the id of that one", async () => {
  const refused = await asAnn("DELETE /companies/1");
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("companies/1 cannot be removed: records of contracts refer to it by company_id.");
});
