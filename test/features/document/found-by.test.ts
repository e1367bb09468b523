import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text = { type: "string" };
const given = (...names: string[]) => names.map((name) => ({ name, in: "path", required: true, schema: text }));
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
const list = (name: string) => ({ responses: { 200: body({ type: "array", items: ref(name) }) } });
const record = (name: string) => ({ responses: { 200: body(ref(name)) } });

const shop: JsonObject = {
  openapi: "3.0.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/carts": { get: list("Cart"), post: { requestBody: body(ref("Cart")), responses: { 201: body(ref("Cart")) } } },
    "/carts/{id}": { parameters: given("id"), get: record("Cart") },
    "/carts/key={key}": { parameters: given("key"), get: record("Cart"), delete: { responses: { 204: {} } } },
    "/stores/key={storeKey}/orders": {
      parameters: given("storeKey"),
      get: list("Order"),
      post: { requestBody: body(ref("Order")), responses: { 201: body(ref("Order")) } },
    },
    "/stores/key={storeKey}/orders/{id}": { parameters: given("storeKey", "id"), get: record("Order") },
    "/members": { get: list("Member") },
    "/members/{user_id}": { parameters: given("user_id"), get: record("Member"), delete: { responses: { 204: {} } } },
    "/rules": { get: list("Rule"), post: { requestBody: body(ref("Rule")), responses: { 201: body(ref("Rule")) } } },
    "/rules/{rule_id}": { parameters: given("rule_id"), get: record("Rule") },
  },
  components: {
    schemas: {
      Cart: {
        type: "object",
        required: ["key"],
        properties: { id: text, key: text, total: { type: "integer" } },
      },
      Order: { type: "object", properties: { id: text, note: text } },
      Member: {
        type: "object",
        required: ["user"],
        properties: { nick: text, user: { type: "object", required: ["id"], properties: { id: text, name: text } } },
      },
      Rule: { type: "object", properties: { text, limit: { type: "integer" } } },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(shop);
});

test("/carts/key={key} finds and removes a record by that field", async () => {
  const ask = apart(served);
  const { body: cart } = await ask("POST /carts", { body: { key: "mine", total: 3 } });
  expect((await ask("GET /carts/key=mine")).body).toEqual(cart);
  expect((await ask("DELETE /carts/key=mine")).status).toBe(204);
  expect((await ask(`GET /carts/${(cart as JsonObject).id}`)).status).toBe(404);
});

test("/stores/key={storeKey}/orders has the orders of a store", async () => {
  const ask = apart(served);
  const { body: order } = await ask("POST /stores/key=north/orders", { body: { note: "Hats" } });
  expect((await ask("GET /stores/key=north/orders")).body).toContainEqual(order);
  expect((await ask("GET /stores/key=south/orders")).body).not.toContainEqual(order);
  expect((await ask(`GET /stores/key=north/orders/${(order as JsonObject).id}`)).body).toEqual(order);
});

test("/members/{user_id} finds a record by user.id", async () => {
  const ask = apart(served);
  const [member] = (await ask("GET /members")).body as { user: JsonObject }[];
  const path = `/members/${member!.user.id}`;
  expect((await ask(`GET ${path}`)).body).toEqual(member);
  expect((await ask(`DELETE ${path}`)).status).toBe(204);
  expect((await ask(`GET ${path}`)).status).toBe(404);
});

test("records whose schema has nothing that names them get an id", async () => {
  const ask = apart(served);
  const { body: rule } = await ask("POST /rules", { body: { limit: 2 } });
  expect(rule).toHaveProperty("id");
  expect((await ask(`GET /rules/${(rule as JsonObject).id}`)).body).toEqual(rule);
});
