import { beforeAll, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const texts: JsonObject = { type: "array", items: text };
const inPath = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });
const sends = (schema: JsonObject, example?: Json): JsonObject => ({
  responses: {
    "200": { description: "", content: { "application/json": { schema, ...(example !== undefined && { example }) } } },
  },
});
const silent: JsonObject = { responses: { "204": { description: "" } } };
const page: JsonObject = { type: "object", properties: { title: text } };

const profile: JsonObject = { type: "object", required: ["name"], properties: { name: { ...text, example: "foo" } } };
const wrapped: JsonObject = { type: "object", required: ["metadata"], properties: { metadata: profile, status: text } };

/** Its id stands in a part of it, which the example repeats. */
const header: JsonObject = { type: "object", required: ["id"], properties: { id: { ...text, example: "b1" } } };
const block: JsonObject = {
  type: "object",
  required: ["header", "size"],
  properties: { header, size: { type: "integer" } },
};

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Names", version: "1" },
  paths: {
    "/types": { get: sends(texts) },
    "/types/{type}": { parameters: [inPath("type")], get: sends({ type: "array", items: page }) },
    "/labels": { get: sends({ type: "object", properties: { data: texts } }, { data: ["red", "blue"] }) },
    "/labels/{label}": {
      parameters: [inPath("label")],
      put: { requestBody: { content: { "application/json": { schema: { type: "object" } } } }, ...silent },
      delete: silent,
    },
    "/frames": { get: sends({ type: "array", items: { type: "integer" } }, [0, 1]) },
    "/frames/{frame}": { parameters: [inPath("frame")], get: sends(texts, ["raw"]) },
    "/zones": { get: { responses: { "200": response({ $ref: "#/components/schemas/Zones" }) } } },
    "/zones/{area}": {
      parameters: [inPath("area")],
      get: { responses: { "200": response({ $ref: "#/components/schemas/Zones" }) } },
    },
    "/profiles": {
      get: sends({ type: "object", properties: { metadata: texts } }, { metadata: ["/profiles/default"] }),
      post: { requestBody: { content: { "application/json": { schema: profile } } }, ...sends(wrapped) },
    },
    "/profiles/{name}": { parameters: [inPath("name")], get: sends(wrapped), delete: silent },
    "/blocks": { get: sends(texts) },
    "/blocks/{blockId}": { parameters: [inPath("blockId")], get: sends(block) },
    "/kinds": { get: sends({ type: "array", items: { ...text, enum: ["a", "b"] } }) },
    "/kinds/{kind}": { parameters: [inPath("kind")], get: sends(page) },
    "/topics": {
      get: sends({ type: "object", properties: { topics: texts } }),
      put: {
        requestBody: { content: { "application/json": { schema: { type: "object", properties: { topics: texts } } } } },
        ...silent,
      },
    },
    "/topics/{topic}": { parameters: [inPath("topic")], delete: silent },
  },
  components: { schemas: { Zones: texts } },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

test("the path below a list of names has something else about each, and nothing about others", async () => {
  const ask = apart(served);
  const [type] = (await ask("GET /types")).body as string[];
  expect(type).toBeTypeOf("string");
  const [first] = (await ask(`GET /types/${type}`)).body as JsonObject[];
  expect(first).toEqual({ title: expect.any(String) });
  expect((await ask("GET /types/none")).status).toBe(404);
});

test("PUT adds a name to a list and DELETE takes it away", async () => {
  const ask = apart(served);
  expect((await ask("GET /labels")).body).toEqual({ data: ["red", "blue"] });
  expect((await ask("PUT /labels/green", { body: {} })).status).toBe(204);
  expect((await ask("GET /labels")).body).toEqual({ data: ["red", "blue", "green"] });
  expect((await ask("DELETE /labels/red")).status).toBe(204);
  expect((await ask("GET /labels")).body).toEqual({ data: ["blue", "green"] });
});

test("0 is an id", async () => {
  const ask = apart(served);
  expect((await ask("GET /frames")).body).toEqual([0, 1]);
  expect((await ask("GET /frames/0")).body).toEqual(["raw"]);
});

test.each([
  ["what sends a part of the list", "/zones/none"],
  ["a fixed set of values", "/kinds/a"],
])("names no record: %s", async (_, path) => {
  expect((await apart(served)(`GET ${path}`)).status).toBe(200);
});

test("a list of names that is replaced as a whole keeps what was sent", async () => {
  const ask = apart(served);
  await ask("PUT /topics", { body: { topics: ["x", "y"] } });
  expect((await ask("GET /topics")).body).toEqual({ topics: ["x", "y"] });
});

test("a list of names has those by which paths find records, each once", async () => {
  const ask = apart(served);
  const { metadata } = (await ask("GET /profiles")).body as { metadata: string[] };
  expect(new Set(metadata).size).toBe(metadata.length);
  for (const name of metadata) {
    expect((await ask(`GET /profiles/${encodeURIComponent(name)}`)).body).toMatchObject({ metadata: { name } });
  }
  const [first = ""] = metadata;
  expect((await ask(`DELETE /profiles/${encodeURIComponent(first)}`)).status).toBe(204);
  expect((await ask("GET /profiles")).body).toMatchObject({ metadata: metadata.slice(1) });
});

test("what stands around a list of names stands around one of its records, too", async () => {
  const ask = apart(served);
  expect((await ask("POST /profiles", { body: { name: "own" } })).body).toMatchObject({ metadata: { name: "own" } });
  expect((await ask("POST /profiles", { body: { name: "own" } })).status).toBe(409);
  const { metadata } = (await ask("GET /profiles/own")).body as { metadata: JsonObject };
  expect(metadata).toEqual({ name: "own" });
});

test("a list of ids has those that stand in a part of its records, each once", async () => {
  const ask = apart(served);
  const ids = (await ask("GET /blocks")).body as string[];
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect((await ask(`GET /blocks/${id}`)).body).toMatchObject({ header: { id } });
});
