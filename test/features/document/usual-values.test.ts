import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const flag: JsonObject = { type: "boolean" };
const integer: JsonObject = { type: "integer" };
const time: JsonObject = { type: "string", format: "date-time", nullable: true };
const state = (...values: string[]): JsonObject => ({ type: "string", enum: values });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required: [...required],
});
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const query = (name: string, values: readonly string[], usual: string): JsonObject => ({
  name,
  in: "query",
  schema: { type: "string", enum: [...values], default: usual },
});
const inPath = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });
const page = (items: JsonObject): JsonObject => object({ data: list(items), has_more: flag }, ["data"]);

const STATES = "Can be `pending` or `failed`. Of some cards, it is `pending`, `succeeded`, `failed` or `canceled`.";
const issue = {
  id: integer,
  title: text,
  state: state("open", "closed"),
  closed_at: time,
  created_at: { type: "string", format: "date-time" },
  assignees: list(ref("User")),
};
const price = {
  id: text,
  type: state("recurring", "one_time"),
  recurring: { nullable: true, anyOf: [ref("Recurring")] },
  scheme: state("per_unit", "tiered"),
  cancels: flag,
  active: flag,
  payment_status: state("no_payment", "paid", "unpaid"),
  metadata: { type: "object", additionalProperties: text },
};

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Usual", version: "1" },
  paths: {
    "/issues": {
      get: {
        parameters: [
          query("state", ["open", "closed", "all"], "open"),
          query("sort", ["created", "title"], "created"),
          query("direction", ["asc", "desc"], "desc"),
        ],
        responses: sends(list(ref("Issue"))),
      },
      post: {
        requestBody: json(object({ title: text, assignees: list(text) }, ["title"])),
        responses: sends(ref("Issue")),
      },
    },
    "/issues/{id}": {
      parameters: [inPath("id")],
      get: { responses: sends(ref("Issue")) },
      patch: { requestBody: json(object(issue)), responses: sends(ref("Issue")) },
    },
    "/prices": {
      get: { responses: sends(list(ref("Price"))) },
      post: { requestBody: json(object({ ...price, unit: integer })), responses: sends(ref("Price")) },
    },
    "/prices/{id}": { parameters: [inPath("id")], get: { responses: sends(ref("Price")) } },
    "/refunds": {
      get: { responses: sends(list(ref("Refund"))) },
      post: { requestBody: json(object({ amount: integer })), responses: sends(ref("Refund")) },
    },
    "/refunds/{id}": { parameters: [inPath("id")], get: { responses: sends(ref("Refund")) } },
    "/refunds/{id}/cancel": { parameters: [inPath("id")], post: { responses: sends(ref("Refund")) } },
    ...withLines("carts", "Cart"),
    ...withLines("quotes", "Quote"),
    "/uploads/{upload_id}/check": {
      parameters: [inPath("upload_id")],
      post: {
        requestBody: { content: { "application/x-www-form-urlencoded": { schema: object({ FriendlyName: text }) } } },
        responses: sends(object({ upload_id: integer, friendly_name: text }, ["upload_id", "friendly_name"])),
      },
    },
  },
  components: {
    schemas: {
      Issue: object(issue, ["id", "title", "state", "closed_at", "created_at", "assignees"]),
      User: object({ name: text, login: text }, ["login"]),
      Price: object(price, ["id", "type", "scheme", "cancels", "active", "payment_status", "metadata"]),
      Recurring: object({ interval: text }),
      Refund: object({ id: text, amount: integer, status: { ...text, description: STATES } }, ["id", "status"]),
      Cart: object({ id: text, lines: page(ref("Line")) }, ["id", "lines"]),
      Quote: object({ id: text, lines: page(ref("Line")) }, ["id", "lines"]),
      Line: object({ id: text, quantity: integer }, ["id", "quantity"]),
    },
  },
};

function withLines(name: string, schema: string): JsonObject {
  const one = schema.toLowerCase();
  const body = object({ lines: list(object({ quantity: integer })) });
  return {
    [`/${name}`]: {
      get: { responses: sends(list(ref(schema))) },
      post: { requestBody: json(body), responses: sends(ref(schema)) },
    },
    [`/${name}/{${one}}`]: { parameters: [inPath(one)], get: { responses: sends(ref(schema)) } },
    [`/${name}/{${one}}/lines`]: {
      parameters: [inPath(one), { name: "starting_after", in: "query", schema: text }],
      get: { responses: sends(page(ref("Line"))) },
    },
  };
}

let served: Served;
beforeAll(async () => {
  served = await serve(api, { clock: "2030-01-01T12:00:00Z" });
});

const titles = (body: unknown): string[] => (body as { title: string }[]).map(({ title }) => title).slice(0, 2);

describe("a list without parameters", () => {
  test("has the records of the usual state, the newest first, also of one second", async () => {
    const ask = apart(served);
    const ids: unknown[] = [];
    for (const title of ["One", "Two", "Three"]) {
      ids.push(((await ask("POST /issues", { body: { title } })).body as JsonObject).id);
    }
    expect(titles((await ask("GET /issues")).body)).toEqual(["Three", "Two"]);
    await ask(`PATCH /issues/${ids[2]}`, { body: { state: "closed" } });
    expect(titles((await ask("GET /issues")).body)).toEqual(["Two", "One"]);
    expect(titles((await ask("GET /issues?state=closed")).body)).toContain("Three");
    expect(titles((await ask("GET /issues?state=all")).body)).toEqual(["Three", "Two"]);
  });
});

describe("a changed record", () => {
  test("has the time of its new state, and none when it leaves that", async () => {
    const ask = apart(served);
    const { id } = (await ask("POST /issues", { body: { title: "One" } })).body as JsonObject;
    const closed = await ask(`PATCH /issues/${id}`, { body: { state: "closed" } });
    expect(closed.body).toMatchObject({ closed_at: "2030-01-01T12:00:00.000Z" });
    expect((await ask(`PATCH /issues/${id}`, { body: { state: "open" } })).body).toMatchObject({ closed_at: null });
  });

  test("is canceled by an action where only its description quotes that state", async () => {
    const ask = apart(served);
    const { id, status } = (await ask("POST /refunds", { body: { amount: 1 } })).body as JsonObject;
    expect(status).toBe("pending");
    expect((await ask(`POST /refunds/${id}/cancel`)).body).toMatchObject({ id, status: "canceled" });
  });
});

describe("a new record", () => {
  test("has the first of its choices, no flags and no members that were not sent", async () => {
    for (let count = 0; count < 5; count++) {
      expect((await apart(served)("POST /prices", { body: { unit: count } })).body).toMatchObject({
        type: "one_time",
        scheme: "per_unit",
        cancels: false,
        active: true,
        payment_status: "unpaid",
        metadata: {},
      });
    }
  });

  test("has a text of a user as the name that users must have", async () => {
    const { body } = await apart(served)("POST /issues", { body: { title: "One", assignees: ["ada"] } });
    expect(body).toMatchObject({ assignees: [{ login: "ada" }] });
  });

  test("has its lines at its own path, although others have such lines, too", async () => {
    const ask = apart(served);
    for (const name of ["carts", "quotes"]) {
      const { id } = (await ask(`POST /${name}`, { body: { lines: [{ quantity: 2 }] } })).body as JsonObject;
      expect((await ask(`GET /${name}/${id}/lines`)).body).toMatchObject({ data: [{ quantity: 2 }] });
    }
  });
});

test("an example repeats the ids of the path and the fields of a form", async () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const { body } = await served.ask("POST /uploads/77/check", { headers, body: "FriendlyName=Ada" });
  expect(body).toMatchObject({ upload_id: 77, friendly_name: "Ada" });
});
