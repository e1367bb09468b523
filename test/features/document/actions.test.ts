import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const order = { $ref: "#/components/schemas/Order" };
const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", content: json(schema) } });
const action = (properties?: JsonObject, method = "post"): JsonObject => ({
  [method]: {
    ...(properties && { requestBody: { content: json({ type: "object", properties }) } }),
    responses: sends(order),
  },
});
const id = { name: "order", in: "path", required: true, schema: { type: "string" } };
const time: JsonObject = { type: "integer", nullable: true };

const shop: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Orders", version: "1" },
  paths: {
    "/orders": {
      get: { responses: sends({ type: "array", items: order }) },
      post: { requestBody: { content: json(order) }, responses: sends(order) },
    },
    "/orders/{order}": {
      parameters: [id],
      get: { responses: sends(order) },
      delete: { operationId: "DeleteOrder", description: "<p>Cancels an order.</p>", responses: sends(order) },
    },
    "/carts": {
      get: { responses: sends({ type: "array", items: order }) },
      post: { requestBody: { content: json(order) }, responses: sends(order) },
    },
    "/carts/{order}": {
      parameters: [id],
      get: { responses: sends(order) },
      delete: { summary: "Delete a cart", responses: sends(order) },
    },
    "/baskets": {
      get: { responses: sends({ type: "array", items: order }) },
      post: { requestBody: { content: json(order) }, responses: sends(order) },
    },
    "/baskets/{order}": {
      parameters: [id],
      get: { responses: sends(order) },
      delete: { summary: "Archive a basket", responses: { "204": { description: "" } } },
    },
    "/orders/{order}/cancel": { parameters: [id], ...action({ reason: { type: "string" }, note: { type: "string" } }) },
    "/orders/{order}/pay": { parameters: [id], ...action() },
    "/orders/{order}/close": { parameters: [id], ...action(undefined, "put") },
    "/orders/{order}/capture": { parameters: [id], ...action() },
    "/orders/{order}/archive": { parameters: [id], ...action() },
    "/orders/{order}/unarchive": { parameters: [id], ...action() },
    "/orders/{order}/activate": { parameters: [id], ...action() },
    "/orders/{order}/deactivate": { parameters: [id], ...action() },
    "/orders/{order}/settle": {
      parameters: [id],
      post: { description: "Transitions the order to `paid` status.", responses: sends(order) },
    },
    "/orders/{order}/attach": { parameters: [id], ...action({ customer: { type: "string" } }) },
    "/orders/{order}/detach": { parameters: [id], ...action() },
    "/orders/{order}/pause": {
      parameters: [id],
      ...action({ action: { type: "string", enum: ["pause", "resume"] } }),
    },
    "/orders/{order}/refuse-refund": { parameters: [id], ...action() },
    "/orders/{order}/start": { parameters: [id], ...action() },
    "/orders/{order}/note": { parameters: [id], ...action({ note: { type: "string" } }, "patch") },
    "/orders/{order}/approve": { parameters: [id], ...action({ approved: { type: "boolean" } }) },
    "/orders/{order}/refresh": { parameters: [id], ...action() },
    "/orders/{order}/receipt": {
      parameters: [id],
      post: { responses: sends({ type: "object", properties: { text: { type: "string" } } }) },
    },
  },
  components: {
    schemas: {
      Order: {
        type: "object",
        required: ["id", "status"],
        properties: {
          id: { type: "string" },
          status: {
            type: "string",
            enum: [
              "requires_capture",
              "open",
              "paid",
              "closed",
              "canceled",
              "succeeded",
              "approved",
              "rejected",
              "risk_refused",
              "running",
            ],
          },
          paused: { type: "boolean" },
          refund_refused_at: time,
          started_at: { ...time, description: "When it was started for the first time" },
          note: { type: "string" },
          customer: { type: "string", nullable: true },
          archived: { type: "boolean" },
          active: { type: "boolean" },
          canceled_at: time,
          archived_at: time,
        },
      },
    },
  },
};

let served: Served;

beforeAll(async () => {
  served = await serve(shop, { clock: "2030-01-01T12:00:00Z" });
});

const NOW = Date.UTC(2030, 0, 1, 12) / 1000;

test.each<[line: string, body: JsonObject | undefined, changed: JsonObject]>([
  ["POST cancel", { reason: "late", note: "sorry" }, { status: "canceled", canceled_at: NOW, note: "sorry" }],
  ["POST pay", undefined, { status: "paid" }],
  ["PUT close", undefined, { status: "closed" }],
  ["POST capture", undefined, { status: "succeeded" }],
  ["POST settle", undefined, { status: "paid" }],
  ["POST archive", undefined, { status: "open", archived: true, archived_at: NOW }],
  ["POST activate", undefined, { status: "open", active: true }],
  ["POST attach", { customer: "c1" }, { status: "open", customer: "c1" }],
  ["POST refuse-refund", undefined, { status: "open", refund_refused_at: NOW }],
  ["POST start", undefined, { status: "running", started_at: null }],
  ["PATCH note", { note: "new" }, { status: "open", note: "new" }],
  ["POST pause", { action: "pause" }, { status: "open", paused: true }],
  ["POST pause", { action: "resume" }, { status: "running", paused: false }],
  ["POST approve", { approved: true }, { status: "approved" }],
  ["POST approve", { approved: false }, { status: "rejected" }],
  ["POST refresh", undefined, { status: "open", customer: "c0" }],
])("%s changes the record that it names", async (line, body, changed) => {
  const ask = apart(served);
  await ask("POST /orders", {
    body: { id: "o1", status: "open", customer: "c0", archived: false, active: false, note: "" },
  });
  const acted = await ask(line.replace(" ", " /orders/o1/"), body && { body });
  expect(acted).toMatchObject({ status: 200, body: { id: "o1", ...changed } });
  expect(acted.body).not.toHaveProperty("reason");
  expect((await ask("GET /orders/o1")).body).toEqual(acted.body);
});

test.each<[undo: string, changed: JsonObject]>([
  ["unarchive", { archived: false, archived_at: null, status: "open" }],
  ["detach", { customer: null, status: "open" }],
  ["deactivate", { active: false, status: "open" }],
])("POST %s takes back what the other action did", async (undo, changed) => {
  const ask = apart(served);
  await ask("POST /orders", {
    body: { id: "o1", status: "open", customer: "c0", archived: true, active: true, archived_at: 1 },
  });
  expect((await ask(`POST /orders/o1/${undo}`)).body).toMatchObject({ id: "o1", ...changed });
});

test("an action on a record that does not exist is 404, and one that sends something else stays an example", async () => {
  expect((await served.ask("POST /orders/none/cancel", { body: {} })).status).toBe(404);
  const { status, body } = await served.ask("POST /orders/none/receipt");
  expect([status, typeof (body as JsonObject).text]).toEqual([200, "string"]);
});

test.each<[name: string, after: number]>([
  ["orders", 200],
  ["carts", 404],
])("DELETE of %s keeps the record only if its text says that it ends it", async (name, after) => {
  const ask = apart(served);
  await ask(`POST /${name}`, { body: { id: "o1", status: "open" } });
  expect((await ask(`DELETE /${name}/o1`)).body).toMatchObject({ id: "o1", status: "canceled" });
  const read = await ask(`GET /${name}/o1`);
  expect(read.status).toBe(after);
  if (after === 200) expect(read.body).toMatchObject({ status: "canceled", canceled_at: NOW });
  expect((await ask(`DELETE /${name}/none`)).status).toBe(404);
});

test("DELETE may archive a record and send nothing of it", async () => {
  const ask = apart(served);
  await ask("POST /baskets", { body: { id: "b1", status: "open", archived: false } });
  expect((await ask("DELETE /baskets/b1")).status).toBe(204);
  expect((await ask("GET /baskets/b1")).body).toMatchObject({ status: "open", archived: true, archived_at: NOW });
});
