import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const object = (properties: JsonObject): JsonObject => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const id = { name: "id", in: "path", required: true, schema: text };
const data = (schema: JsonObject): JsonObject => object({ data: schema });
const links = data({ type: "array", items: ref("Link") });

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Links", version: "1" },
  paths: {
    "/categories": { get: { responses: { 200: response(data({ type: "array", items: ref("Category") })) } } },
    "/categories/{id}": { parameters: [id], get: { responses: { 200: response(data(ref("Category"))) } } },
    "/categories/{id}/relationships/items": {
      parameters: [id],
      get: {
        parameters: [{ name: "page[size]", in: "query", schema: { type: "integer" } }],
        responses: { 200: response(links) },
      },
      post: {
        requestBody: { content: { "application/json": { schema: links } } },
        responses: { 204: { description: "Added" } },
      },
    },
  },
  components: {
    schemas: {
      Category: object({ type: { ...text, enum: ["category"] }, id: text }),
      Link: object({ type: { ...text, enum: ["item"] }, id: text }),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

test("ids are linked to several parents, and once to each", async () => {
  const ask = apart(served);
  const ids = (body: unknown): unknown[] => (body as { data: JsonObject[] }).data.map((one) => one.id);
  const [first, second] = ids((await ask("GET /categories")).body);
  const [one, other] = [first, second].map((category) => `/categories/${category}/relationships/items`);
  const before = ids((await ask(`GET ${one}`)).body);
  const link = (...items: string[]) => ({ body: { data: items.map((item) => ({ type: "item", id: item })) } });
  expect((await ask(`POST ${one}`, link("mug"))).status).toBe(204);
  expect((await ask(`POST ${one}`, link("mug", "pan", "pan"))).status).toBe(204);
  expect((await ask(`POST ${other}`, link("mug"))).status).toBe(204);
  expect(ids((await ask(`GET ${one}`)).body)).toEqual([...before, "mug", "pan"]);
  expect(ids((await ask(`GET ${other}`)).body)).toContain("mug");
});
