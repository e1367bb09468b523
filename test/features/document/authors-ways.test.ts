import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { serve } from "./serve.ts";

const text = { type: "string" };
const named = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });

function documentOf(paths: JsonObject, schemas: JsonObject): JsonObject {
  return { openapi: "3.1.0", info: { title: "Ways", version: "1" }, paths, components: { schemas } };
}

test("a schema that the document lacks allows any value", async () => {
  const item = {
    type: "object",
    required: ["id", "name"],
    properties: { id: text, name: text, toggle: ref("Toggle") },
  };
  const { ask } = await serve(
    documentOf(
      {
        "/items": {
          get: { responses: { 200: response({ type: "array", items: ref("Item") }) } },
          post: { requestBody: json(ref("Item")), responses: { 201: response(ref("Item")) } },
        },
        "/items/{id}": { parameters: [named("id")], get: { responses: { 200: response(ref("Item")) } } },
        "/toggles": { get: { responses: { 200: response(ref("Toggle")) } } },
      },
      { Item: item },
    ),
  );
  const sent = { id: "a", name: "Tea", toggle: { on: [true] } };
  expect((await ask("POST /items", { body: sent })).status).toBe(201);
  expect((await ask("GET /items/a")).body).toEqual(sent);
  expect((await ask("POST /items", { body: { toggle: 1 } })).status).toBe(422);
  expect((await ask("GET /toggles")).status).toBe(200);
});

test("a property that two parts describe has the words of the one that says more", async () => {
  const links = { type: "object", properties: { next: { type: "string", format: "uri" } } };
  const page: JsonObject = {
    allOf: [
      { type: "object", properties: { data: { type: "array", items: { type: "object" } }, links: { type: "object" } } },
      { type: "object", properties: { data: { type: "array", items: ref("Item") }, links } },
    ],
  };
  const { ask } = await serve(
    documentOf(
      {
        "/items": {
          get: {
            parameters: ["page", "limit"].map((name) => ({ name, in: "query", schema: { type: "integer" } })),
            responses: { 200: response(page) },
          },
        },
        "/items/{id}": { parameters: [named("id")], get: { responses: { 200: response(ref("Item")) } } },
      },
      { Item: { type: "object", required: ["id"], properties: { id: text } } },
    ),
  );
  const first = (await ask("GET /items?limit=7")).body as { links: { next?: unknown } };
  expect(first.links.next).toMatch(/page=2/);
  // Texts are declared, so the last page has no address rather than null.
  expect((await ask("GET /items?limit=7&page=2")).body).toMatchObject({ links: {} });
  expect((await ask("GET /items?limit=7&page=2")).text).not.toContain("null");
});

test.each<[string, JsonObject, RegExp]>([
  ["all of two schemas", { allOf: [{ pattern: "^bank_[a-z0-9]{8}$" }, text, { description: "Its id." }] }, /^bank_/],
  [
    "any of two schemas",
    { anyOf: ["a", "b"].map((kind) => ({ ...text, pattern: `^${kind}:[a-f0-9]{8}$` })) },
    /^[ab]:/,
  ],
])("ids described by %s are texts that fit", async (_, id, form) => {
  const record = { type: "object", required: ["id"], properties: { id: ref("Id"), name: text } };
  const { ask } = await serve(
    documentOf(
      {
        "/banks": {
          get: { responses: { 200: response({ type: "array", items: ref("Bank") }) } },
          post: {
            requestBody: json({ type: "object", properties: { name: text } }),
            responses: { 201: response(ref("Bank")) },
          },
        },
        "/banks/{bank_id}": {
          parameters: [{ ...named("bank_id"), schema: ref("Id") }],
          get: { responses: { 200: response(ref("Bank")) } },
        },
      },
      { Bank: record, Id: id },
    ),
  );
  const created = (await ask("POST /banks", { body: { name: "Mill" } })).body as { id: string };
  expect(created.id).toMatch(form);
  expect((await ask(`GET /banks/${created.id}`)).body).toMatchObject({ name: "Mill" });
  const listed = (await ask("GET /banks")).body as { id: unknown }[];
  for (const one of listed) expect(one.id).toMatch(form);
});

test("a version names a release below releases, and a form of the API elsewhere", async () => {
  const file = { type: "object", required: ["id"], properties: { id: text, name: text } };
  const release = { type: "object", required: ["version"], properties: { version: text } };
  const below = (path: string, record: string, id: string): JsonObject => ({
    [path]: {
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => named(name!)),
      get: { responses: { 200: response({ type: "array", items: ref(record) }) } },
      post: { requestBody: json(ref(record)), responses: { 201: response(ref(record)) } },
    },
    [`${path}/{${id}}`]: {
      parameters: [...`${path}/{${id}}`.matchAll(/\{(\w+)\}/g)].map(([, name]) => named(name!)),
      get: { responses: { 200: response(ref(record)) } },
    },
  });
  const { ask } = await serve(
    documentOf(
      {
        ...below("/api/{version}/notes", "File", "id"),
        ...below("/releases", "Release", "version"),
        ...below("/releases/{version}/files", "File", "id"),
      },
      { File: file, Release: release },
    ),
  );
  for (const version of ["1.0", "2.0"]) await ask("POST /releases", { body: { version } });
  expect((await ask("POST /releases/1.0/files", { body: { id: "a" } })).status).toBe(201);
  expect((await ask("GET /releases/1.0/files")).body).toEqual([expect.objectContaining({ id: "a" })]);
  expect((await ask("GET /releases/2.0/files")).body).toEqual([]);
  expect((await ask("GET /releases/2.0/files/a")).status).toBe(404);
  await ask("POST /api/v1/notes", { body: { id: "n" } });
  expect((await ask("GET /api/v2/notes/n")).status).toBe(200);
});
