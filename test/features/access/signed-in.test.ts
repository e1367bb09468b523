import { afterAll, beforeAll, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";

const DATA = {
  users: [
    { id: 1, email: "ann@shop.test", roles: [] },
    { id: 2, email: "bob@shop.test", roles: ["admin"] },
  ],
  orders: [
    { id: 1, user_id: 1 },
    { id: 2, user_id: 2 },
  ],
};

let api: Standin<typeof DATA>;
beforeAll(async () => {
  api = await createStandin({
    data: structuredClone(DATA),
    middlewares: ["sign-in"],
    layers: {
      "sign-in": {
        users: "users",
        name: "email",
        claims: { email: "email", roles: "roles" },
        audience: "shop",
        clients: [{ id: "web", redirectUris: ["http://localhost:5173/"] }],
      },
    },
    access: { orders: { owner: "user_id", read: "owner", write: "owner", admin: "all" } },
  });
});
afterAll(() => api.close());

async function as(name: string, line: string, body?: unknown) {
  const headers = { authorization: `Bearer ${await api.tokenFor(`${name}@shop.test`)}` };
  return askAt(api.url, line, body === undefined ? { headers } : { headers, body });
}

test("a token shows its user their own records", async () => {
  const own = await as("ann", "GET /orders");
  expect(own.body).toEqual([{ id: 1, user_id: 1 }]);
  expect(own.headers.get("vary")).toContain("Authorization");
  expect((await as("bob", "GET /orders")).body).toHaveLength(2);
  expect((await as("ann", "POST /orders", {})).body).toMatchObject({ user_id: 1 });
  expect((await as("ann", "GET /users")).body).toMatchObject([{ id: 1 }]);
  expect(codeOf(await as("ann", "PATCH /users/1", { roles: ["admin"] }))).toBe("ACCESS_DENIED");
  expect(codeOf(await as("ann", "POST /__reset"))).toBe("ACCESS_DENIED");
});

test("the data that a program holds has no rules", async () => {
  expect(await api.db.orders.find()).not.toHaveLength(0);
  expect(await api.db.orders.get(2)).toMatchObject({ user_id: 2 });
});
