import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const text: JsonObject = { type: "string" };
const maybe: JsonObject = { type: "string", nullable: true };
const time: JsonObject = { type: "integer", format: "unix-time" };

const expand: JsonObject[] = [{ name: "expand", in: "query", schema: { type: "array", items: text } }];

const collection = (name: string, record: JsonObject, sent: JsonObject, removed: JsonObject): JsonObject => ({
  [`/${name}`]: {
    get: { parameters: expand, responses: sends({ type: "array", items: record }) },
    post: { operationId: `create_${name}`, requestBody: json(sent), responses: sends(record) },
  },
  [`/${name}/{id}`]: {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: { parameters: expand, responses: sends(record) },
    patch: { requestBody: json(sent), responses: sends(record) },
    delete: { responses: sends(removed) },
  },
});

const gone: JsonObject = {
  type: "object",
  required: ["id", "object", "deleted"],
  properties: { id: text, object: { type: "string", enum: ["intent.deleted"] }, deleted: { type: "boolean" } },
};

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Created", version: "1" },
  paths: {
    ...collection("customers", ref("Customer"), ref("Customer"), {
      type: "object",
      properties: { id: text, deleted: { type: "boolean" } },
    }),
    ...collection(
      "intents",
      ref("Intent"),
      { type: "object", properties: { amount: { type: "integer" }, type: text } },
      gone,
    ),
    ...collection("comments", ref("Comment"), { type: "object", properties: { body: text } }, ref("Comment")),
    ...collection("addresses", { oneOf: [ref("Near"), ref("Far")] }, { oneOf: [ref("Near"), ref("Far")] }, ref("Near")),
  },
  components: {
    schemas: {
      Customer: { type: "object", required: ["id", "name"], properties: { id: text, name: text } },
      Intent: {
        type: "object",
        required: ["id", "amount", "object"],
        properties: {
          id: text,
          object: { type: "string", enum: ["intent"] },
          amount: { type: "integer" },
          client_secret: maybe,
          url: text,
          state: { type: "string", example: "open" },
          created: time,
          updated: time,
          canceled_at: { ...time, nullable: true },
          deleted_at: time,
          review: maybe,
          status: { type: "string", enum: ["canceled", "pending", "succeeded"] },
          type: { type: "string", enum: ["card", "bank"], default: "card" },
          card: { type: "object", required: ["last4"], properties: { last4: text } },
          bank: { type: "object", properties: { name: text } },
          charges: {
            type: "object",
            required: ["data", "has_more"],
            properties: { data: { type: "array", items: ref("Customer") }, has_more: { type: "boolean" } },
          },
          customer: { anyOf: [text, ref("Customer")], nullable: true },
          payer: { type: "string", "x-expansionResources": { oneOf: [ref("Customer")] } },
          fee: { type: "string", pattern: "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$" },
        },
      },
      Comment: {
        allOf: [
          {
            type: "object",
            required: ["id", "body", "posted_at", "edited_at"],
            properties: { id: text, body: text, posted_at: time, edited_at: time },
          },
          {
            oneOf: [
              {
                type: "object",
                required: ["status", "resolver"],
                properties: { status: { type: "string", enum: ["resolved"] }, resolver: text },
              },
              { type: "object", required: ["status"], properties: { status: { type: "string", enum: ["open"] } } },
            ],
          },
        ],
      },
      Near: {
        type: "object",
        required: ["id", "city"],
        properties: { id: { type: "string", pattern: "^adr_[a-z0-9]{8}$" }, city: text },
      },
      Far: {
        type: "object",
        required: ["id", "country"],
        properties: { id: { type: "string", pattern: "^adr_[a-z0-9]{8}$" }, country: text },
      },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api, { clock: "2030-01-01T12:00:00Z" });
});

describe("a new record", () => {
  test("has what only the server sets, and nothing that has not happened yet", async () => {
    const ask = apart(served);
    const { body } = await ask("POST /intents", { body: { amount: 5 } });
    const now = Date.UTC(2030, 0, 1, 12) / 1000;
    expect(body).toMatchObject({
      amount: 5,
      client_secret: expect.any(String),
      url: expect.any(String),
      state: "open",
      created: now,
      updated: now,
      canceled_at: null,
      review: null,
      status: "pending",
      customer: null,
      type: "card",
      card: { last4: expect.stringMatching(/^\d{4}$/) },
      charges: { data: [], has_more: false },
      fee: expect.stringMatching(/^\d+\.\d\d$/),
    });
    for (const name of ["deleted_at", "bank"]) expect(body).not.toHaveProperty(name);
    const { id } = body as { id: string };
    const patched = await ask(`PATCH /intents/${id}`, { body: { amount: 6 } });
    expect(patched.body).toEqual({ ...(body as JsonObject), amount: 6 });
  });

  test("has the form that a part of its schema demands, the least of several", async () => {
    const ask = apart(served);
    const { body } = await ask("POST /comments", { body: { body: "Hi" } });
    expect(body).toMatchObject({ body: "Hi", status: "open" });
    expect(body).not.toHaveProperty("resolver");
    const resolved = await ask("POST /comments", { body: { status: "resolved", resolver: "Ada" } });
    expect(resolved.body).toMatchObject({ status: "resolved", resolver: "Ada" });
  });

  test("of several schemas gets an id that its schema allows", async () => {
    const ask = apart(served);
    const { body } = await ask("POST /addresses", { body: { id: "adr_aaaaaaaa", city: "Rome" } });
    expect(body).toMatchObject({ city: "Rome" });
    const listed = (await ask("GET /addresses")).body as { id: string }[];
    for (const { id } of listed) expect(id).toMatch(/^adr_[a-z0-9]{8}$/);
  });
});

test("made records were created before they were changed, have not ended, and name records that exist", async () => {
  const ids = ((await served.ask("GET /customers")).body as { id: string }[]).map(({ id }) => id);
  const intents = (await served.ask("GET /intents")).body as (JsonObject & { created: number; updated: number })[];
  for (const intent of intents) {
    expect(intent.updated).toBeGreaterThanOrEqual(intent.created);
    expect(intent.created).toBeGreaterThan(1_600_000_000);
    expect(intent).not.toHaveProperty("deleted_at");
    expect(intent.canceled_at ?? null).toBe(null);
    if (intent.customer !== null) expect(ids).toContain(intent.customer);
  }
  const comments = (await served.ask("GET /comments")).body as { posted_at: number; edited_at: number }[];
  for (const { posted_at, edited_at } of comments) expect(edited_at).toBeGreaterThanOrEqual(posted_at);
});

test.each(["expand", "expand[]", "expand[0]"])("?%s= puts records in place of their ids", async (name) => {
  const ask = apart(served);
  const intents = (await ask("GET /intents")).body as { id: string; payer: string }[];
  const [first] = intents;
  const payer = (await ask(`GET /customers/${first!.payer}`)).body;
  const query = `${encodeURIComponent(name)}=payer`;
  expect((await ask(`GET /intents/${first!.id}?${query}`)).body).toEqual({ ...first, payer });
  expect(((await ask(`GET /intents?${query}`)).body as unknown[])[0]).toEqual({ ...first, payer });
  const others = await ask(`GET /intents/${first!.id}?${encodeURIComponent(name)}=amount.none.id`);
  expect([others.status, others.body]).toEqual([200, first]);
});

test("the response to DELETE tells which record was removed, by its enums", async () => {
  const ask = apart(served);
  const { body } = await ask("POST /intents", { body: { amount: 5 } });
  const { id } = body as { id: string };
  expect((await ask(`DELETE /intents/${id}`)).body).toEqual({ id, object: "intent.deleted", deleted: true });
  expect((await ask("DELETE /customers/1")).body).toMatchObject({ id: "1", deleted: true });
});
