import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
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
    "/releases": {
      get: list("Release"),
      post: { requestBody: body(ref("Release")), responses: { 201: body(ref("Release")) } },
    },
    "/releases/{id}": { parameters: given("id"), get: record("Release") },
    "/releases/tags/{tag}": { parameters: given("tag"), get: record("Release") },
    "/releases/by-email/{value}": { parameters: given("value"), get: record("Release") },
    "/releases/notes/{tag}": { parameters: given("tag"), get: record("Cart") },
    "/repos/{owner}/tags": {
      parameters: given("owner"),
      get: list("Tag"),
      post: { requestBody: body(ref("Tag")), responses: { 201: body(ref("Tag")) } },
    },
    "/repos/{owner}/tags/{id}": { parameters: given("owner", "id"), get: record("Tag") },
    "/repos/{owner}/tags/names/{name}": { parameters: given("owner", "name"), get: record("Tag") },
    "/members": { get: list("Member") },
    "/members/{user_id}": { parameters: given("user_id"), get: record("Member"), delete: { responses: { 204: {} } } },
    "/rules": { get: list("Rule"), post: { requestBody: body(ref("Rule")), responses: { 201: body(ref("Rule")) } } },
    "/rules/{rule_id}": { parameters: given("rule_id"), get: record("Rule") },
    "/licenses": { get: { responses: { 200: body({ type: "object", properties: { names: texts } }) } } },
    "/licenses/{name}": { parameters: given("name"), get: record("License"), delete: { responses: { 204: {} } } },
    "/PayRunCalendars": {
      get: list("Calendar"),
      post: { requestBody: body(ref("Calendar")), responses: { 201: body(ref("Calendar")) } },
    },
    "/PayRunCalendars/{PayRunCalendarID}": { parameters: given("PayRunCalendarID"), get: record("Calendar") },
    "/baskets": { get: { responses: { 200: body(texts) } } },
    "/baskets/{name}": { parameters: given("name"), get: record("Basket") },
    "/passes": { get: { ...list("Pass"), parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }] } },
    "/passes/{type}": {
      parameters: given("type"),
      get: list("Pass"),
      post: { requestBody: body(ref("Pass")), responses: { 201: body(ref("Pass")) } },
    },
    "/passes/{type}/{number}": { parameters: given("type", "number"), get: record("Pass") },
    "/config/host": { get: record("Host") },
    "/config/host/{id}": {
      parameters: given("id"),
      get: record("Host"),
      put: { requestBody: body(ref("Host")), ...record("Host") },
    },
  },
  components: {
    schemas: {
      Cart: {
        type: "object",
        required: ["key"],
        properties: { id: text, key: text, total: { type: "integer" } },
      },
      Release: {
        type: "object",
        required: ["tag_name"],
        properties: { id: { type: "integer" }, tag_name: text, email: text },
      },
      Tag: {
        type: "object",
        required: ["name"],
        properties: { id: { type: "integer" }, name: { ...text, enum: ["v1"] } },
      },
      Order: { type: "object", properties: { id: text, note: text } },
      Member: {
        type: "object",
        required: ["user"],
        properties: { nick: text, user: { type: "object", required: ["id"], properties: { id: text, name: text } } },
      },
      Calendar: { type: "object", properties: { payrollCalendarID: text, name: text } },
      Basket: { type: "object", properties: { token: text } },
      Pass: { type: "object", properties: { number: text, note: text } },
      Host: { type: "object", properties: { id: { type: "integer" }, port: { type: "integer" } } },
      License: { type: "object", required: ["name"], properties: { name: text, source: text } },
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

test("/passes/{type} lists the records of /passes/{type}/{number}", async () => {
  const ask = apart(served);
  const { body: pass } = await ask("POST /passes/day", { body: { number: "A7", note: "Hall" } });
  expect((await ask("GET /passes/day")).body).toContainEqual(pass);
  expect((await ask("GET /passes/week")).body).not.toContainEqual(pass);
  expect((await ask("GET /passes/day/A7")).body).toEqual(pass);
});

test("one record may be changed at a path with an id", async () => {
  const ask = apart(served);
  const host = (await ask("GET /config/host")).body as JsonObject;
  const changed = await ask("PUT /config/host/1", { body: { ...host, port: 8080 } });
  expect(changed.body).toMatchObject({ port: 8080 });
  expect((await ask("GET /config/host")).body).toEqual(changed.body);
  expect((await ask("GET /config/host/1")).body).toEqual(changed.body);
});

test("a list may have the ids of records in their place", async () => {
  const ask = apart(served);
  const { names } = (await ask("GET /licenses")).body as { names: string[] };
  expect((await ask(`GET /licenses/${names[0]}`)).body).toMatchObject({ name: names[0] });
  await ask(`DELETE /licenses/${names[0]}`);
  expect((await ask("GET /licenses")).body).toEqual({ names: names.slice(1) });
  const [basket] = (await ask("GET /baskets")).body as string[];
  expect(basket).toBeTypeOf("string");
  expect((await ask(`GET /baskets/${basket}`)).status).toBe(200);
});

test.each(["tags/v1", "by-email/ada@example.org"])("/releases/%s finds a record by another field", async (path) => {
  const ask = apart(served);
  const { body: release } = await ask("POST /releases", { body: { tag_name: "v1", email: "ada@example.org" } });
  expect((await ask(`GET /releases/${path}`)).body).toEqual(release);
  expect((await ask(`GET /releases/${path}x`)).status).toBe(404);
  expect((await ask("GET /releases/notes/none")).status).toBe(200);
});

test("of several records with that field, the one that was created below the same parent is found", async () => {
  const ask = apart(served);
  const { body: tag } = await ask("POST /repos/ada/tags", { body: { name: "v1" } });
  expect((await ask("GET /repos/ada/tags/names/v1")).body).toEqual(tag);
  expect((await ask("GET /repos/eve/tags/names/v1")).body).not.toEqual(tag);
});

test("the id of a record comes before its name, whatever words are in front of it", async () => {
  const ask = apart(served);
  const { body: calendar } = await ask("POST /PayRunCalendars", { body: { name: "Weekly" } });
  const { payrollCalendarID } = calendar as JsonObject;
  expect((await ask(`GET /PayRunCalendars/${payrollCalendarID}`)).body).toEqual(calendar);
  expect((await ask("GET /PayRunCalendars/Weekly")).status).toBe(404);
});
