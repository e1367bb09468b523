import { beforeAll, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const texts: JsonObject = { type: "array", items: text };
const sends = (schema: JsonObject): JsonObject => ({ "200": response(schema) });
const takes = (properties: JsonObject): JsonObject => ({ requestBody: json({ type: "object", properties }) });
const id: JsonObject = { name: "id", in: "path", required: true, schema: { type: "integer" } };
const done: JsonObject = { responses: { "204": { description: "" } } };
const asset: JsonObject = ref("Asset");
const report: JsonObject = { responses: sends({ type: "object", properties: { total: { type: "integer" } } }) };

const fields: JsonObject = {
  tags: texts,
  labels: texts,
  owner: { type: "string", nullable: true },
  favorite: { type: "boolean" },
  price: { type: "number" },
  size: { type: "object", properties: { width: { type: "integer" }, height: { type: "integer" } } },
};

const assets: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Assets", version: "1" },
  paths: {
    "/assets": {
      get: { responses: sends({ type: "array", items: asset }) },
      post: { ...takes(fields), responses: { "201": response(asset) } },
    },
    "/assets/{id}": { parameters: [id], get: { responses: sends(asset) } },
    "/assets/{id}/tags": {
      parameters: [id],
      post: { ...takes({ tags: texts }), ...report },
      put: { ...takes({ tags: texts }), ...done },
      delete: { ...takes({ tags: texts }), ...report },
    },
    "/assets/{id}/remove-label": { parameters: [id], post: { ...takes({ label: text }), ...done } },
    "/assets/{id}/labels": {
      parameters: [id],
      post: { summary: "Replace all labels", requestBody: json(texts), ...done },
    },
    "/assets/{id}/owner": {
      parameters: [id],
      put: { ...takes({ owner: text }), ...done },
      delete: done,
      post: { summary: "Ask the owner", ...takes({ owner: text }), ...done },
    },
    "/assets/{id}/favorite": { parameters: [id], put: done, delete: done },
    "/assets/{id}/setPrice": { parameters: [id], post: { ...takes({ price: {} }), ...done } },
    "/assets/{id}/size": { parameters: [id], patch: { ...takes({}), ...done } },
  },
  components: {
    schemas: {
      Asset: { type: "object", required: ["id", "tags"], properties: { id: { type: "integer" }, ...fields } },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(assets);
});

const MADE = {
  tags: ["a", "b"],
  labels: ["x", "y"],
  owner: "ann",
  favorite: false,
  price: 1.5,
  size: { width: 1, height: 2 },
};

test.each<[line: string, body: Json | undefined, changed: JsonObject]>([
  ["POST tags", { tags: ["b", "c"] }, { tags: ["a", "b", "c"] }],
  ["PUT tags", { tags: ["c"] }, { tags: ["c"] }],
  ["DELETE tags", { tags: ["a", "z"] }, { tags: ["b"] }],
  ["DELETE tags", undefined, { tags: [] }],
  ["POST remove-label", { label: "x" }, { labels: ["y"] }],
  ["POST labels", ["z"], { labels: ["z"] }],
  ["PUT owner", { owner: "bob" }, { owner: "bob" }],
  ["DELETE owner", undefined, { owner: null }],
  ["POST owner", { owner: "bob" }, {}],
  ["PUT favorite", undefined, { favorite: true }],
  ["DELETE favorite", undefined, { favorite: false }],
  ["POST setPrice", { price: 2 }, { price: 2 }],
  ["POST setPrice", { price: "much" }, {}],
  ["PATCH size", { height: 3 }, { size: { width: 1, height: 3 } }],
  ["PATCH size", { depth: 3 }, {}],
])("%s %j changes the field of that name", async (line, body, changed) => {
  const ask = apart(served);
  const { id } = (await ask("POST /assets", { body: MADE })).body as { id: number };
  const [method = "", word = ""] = line.split(" ");
  const { status } = await ask(`${method} /assets/${id}/${word}`, body === undefined ? {} : { body });
  expect(status).toBeLessThan(300);
  expect((await ask(`GET /assets/${id}`)).body).toEqual({ id, ...MADE, ...changed });
});

test("a record that is not there is 404, and a dry run changes nothing", async () => {
  const ask = apart(served);
  expect((await ask("POST /assets/98765/tags", { body: { tags: ["c"] } })).status).toBe(404);
  const { id } = (await ask("POST /assets", { body: MADE })).body as { id: number };
  await ask(`PUT /assets/${id}/tags`, { body: { tags: ["c"] }, headers: { Prefer: "tx=rollback" } });
  expect((await ask(`GET /assets/${id}`)).body).toMatchObject(MADE);
});

test("requests at the same time lose no tag", async () => {
  const ask = apart(served);
  const { id } = (await ask("POST /assets", { body: { tags: [] } })).body as { id: number };
  const tags = Array.from({ length: 20 }, (_, at) => `t${at}`);
  await Promise.all(tags.map((tag) => ask(`POST /assets/${id}/tags`, { body: { tags: [tag] } })));
  const { tags: held } = (await ask(`GET /assets/${id}`)).body as { tags: string[] };
  expect(held.toSorted()).toEqual(tags.toSorted());
});
