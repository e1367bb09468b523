import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const flag: JsonObject = { type: "boolean" };
const integer: JsonObject = { type: "integer" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const state = (...values: string[]): JsonObject => ({ type: "string", enum: values });
const mailTime: JsonObject = { type: "string", format: "date-time-rfc-2822", nullable: true };

const sent: JsonObject = {
  type: "object",
  properties: {
    name: text,
    active: { type: "boolean", description: "Whether it is sold. Defaults to `true`." },
    mode: { type: "string", enum: ["slow", "fast"], description: "The default is `fast`." },
    size: { type: "integer", default: 3 },
    owner: text,
    recurring: { type: "object", properties: { interval: text } },
    expand: { type: "array", items: text },
  },
};

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "First", version: "1" },
  paths: {
    "/owners": {
      get: { responses: sends({ type: "array", items: ref("Owner") }) },
    },
    "/owners/{id}": { get: { responses: sends(ref("Owner")) } },
    "/keys": {
      get: {
        responses: sends({
          type: "object",
          properties: {
            total_row_count: integer,
            problem: { type: "object", properties: { title: text } },
            keys: { type: "array", items: ref("Key") },
          },
        }),
      },
      post: { responses: { "201": { description: "", ...json(ref("Key")) } } },
    },
    "/keys/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: text }],
      get: { responses: sends(ref("Key")) },
    },
    "/orders": {
      get: { responses: sends({ type: "array", items: ref("Order") }) },
      post: { operationId: "createOrder", requestBody: json(sent), responses: sends(ref("Order")) },
    },
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: text }],
      get: { responses: sends(ref("Order")) },
      post: {
        requestBody: json({
          type: "object",
          properties: { callback: text, retry: flag, voice: text, hint: text, Status: text },
        }),
        responses: sends(ref("Order")),
      },
    },
  },
  components: {
    schemas: {
      Key: {
        type: "object",
        properties: {
          id: text,
          private_key: text,
          accountId: { type: "number" },
          object: { type: "string", example: "key" },
          created_at: { type: "string", format: "int64" },
          errors: { type: "array", items: text },
        },
      },
      Owner: { type: "object", required: ["id"], properties: { id: text, name: text } },
      Order: {
        type: "object",
        required: ["id", "name", "active", "mode", "size", "choices", "labels", "amount_received", "paid", "locked"],
        properties: {
          id: text,
          name: text,
          owner: { anyOf: [text, ref("Owner")] },
          active: flag,
          mode: { type: "string", enum: ["slow", "fast"] },
          size: integer,
          status: state("incomplete", "failed", "in_progress", "completed"),
          state: {
            ...state("requires_action", "requires_card", "succeeded"),
            description: "One of `requires_card`, `requires_action` or `succeeded`.",
          },
          type: state("one_time", "recurring"),
          recurring: { type: "object", nullable: true, properties: { interval: text } },
          choices: {
            type: "array",
            items: { type: "object", required: ["text"], properties: { text, index: integer } },
            minItems: 0,
          },
          labels: { type: "array", items: ref("Owner") },
          amount_received: integer,
          message_count: { ...integer, example: 80 },
          brand: { type: "string", description: "The brand of its card. Can be `amex`, `jcb`, or `visa`." },
          paid: flag,
          locked: flag,
          enabled: flag,
          created_at: text,
          date_created: mailTime,
          date_updated: mailTime,
          date_sent: mailTime,
        },
      },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api, { clock: "2030-01-01T12:00:00Z" });
});

test("a new record begins with the defaults that are described, nothing counted, and the time", async () => {
  const { body } = await apart(served)("POST /orders", { body: { name: "Hat", recurring: { interval: "day" } } });
  expect(body).toMatchObject({
    state: "requires_card",
    type: "recurring",
    active: true,
    mode: "fast",
    size: 3,
    status: "in_progress",
    choices: [{ text: expect.any(String), index: 0 }],
    labels: [],
    amount_received: 0,
    message_count: 0,
    brand: expect.stringMatching(/^(?:amex|jcb|visa)$/),
    paid: false,
    locked: false,
    enabled: true,
    created_at: "2030-01-01T12:00:00.000Z",
    date_created: "Tue, 01 Jan 2030 12:00:00 +0000",
    date_updated: "Tue, 01 Jan 2030 12:00:00 +0000",
    date_sent: null,
  });
  const listed = (await served.ask("GET /orders")).body as { date_sent: string }[];
  for (const { date_sent } of listed) expect(date_sent).toMatch(/^\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d \+0000$/);
});

test("a POST to a record that sends the record changes it, whatever else it takes", async () => {
  const ask = apart(served);
  const created = (await ask("POST /orders", { body: { name: "Hat" } })).body as JsonObject;
  const { body } = await ask(`POST /orders/${String(created.id)}`, { body: { Status: "completed" } });
  expect(body).toMatchObject({ id: created.id, name: "Hat", status: "completed" });
});

test("expand in the body of a request fills the response, and is not stored", async () => {
  const ask = apart(served);
  const [owner] = (await ask("GET /owners")).body as { id: string }[];
  const created = (await ask("POST /orders", { body: { name: "Hat", owner: owner!.id, expand: ["owner"] } }))
    .body as JsonObject;
  expect(created.owner).toEqual(owner);
  const { body } = await ask(`GET /orders/${String(created.id)}`);
  expect(body).toMatchObject({ name: "Hat", owner: owner!.id });
  expect(body).not.toHaveProperty("expand");
});

test("a record that is created without a body has what the server sets, and its list counts it", async () => {
  const { ask } = await serve(api, { clock: "2030-01-01T12:00:00Z" });
  const { body } = await ask("POST /keys");
  expect(body).toMatchObject({ private_key: expect.any(String), created_at: String(Date.UTC(2030, 0, 1, 12) / 1000) });
  expect(body).not.toHaveProperty("errors");
  const listed = (await ask("GET /keys")).body as { total_row_count: number; keys: JsonObject[] };
  const { total_row_count, keys } = listed;
  expect(listed).not.toHaveProperty("problem");
  expect(keys.every(({ accountId }) => Number.isInteger(accountId))).toBe(true);
  expect(new Set(keys.map(({ object }) => object))).toEqual(new Set(["key"]));
  expect(total_row_count).toBe(keys.length);
  for (const { created_at } of keys) expect(created_at).toMatch(/^\d{10}$/);
});
