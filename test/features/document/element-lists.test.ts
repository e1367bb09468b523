import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text: JsonObject = { type: "string" };
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject, status = "200"): JsonObject => ({ [status]: { description: "", ...json(schema) } });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const path = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });
const query = (name: string): JsonObject => ({ name, in: "query", schema: { type: "integer" } });
const names = { requestBody: json(object({ labels: { type: "array", items: text } })) };

/** Issues whose labels are written below them, and machines whose tags stand in an envelope. */
const tracker: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Issues", version: "1" },
  paths: {
    "/issues": {
      get: { responses: sends(listOf(ref("Issue"))) },
      post: { requestBody: json(object({ title: text, labels: listOf(text) })), responses: sends(ref("Issue"), "201") },
    },
    "/issues/{number}": { parameters: [path("number")], get: { responses: sends(ref("Issue")) } },
    "/issues/{number}/labels": {
      parameters: [path("number")],
      get: { parameters: [query("page"), query("per_page")], responses: sends(listOf(ref("Label"))) },
      post: { ...names, responses: sends(listOf(ref("Label"))) },
      put: { ...names, responses: sends(listOf(ref("Label"))) },
      delete: { responses: { "204": { description: "" } } },
    },
    "/issues/{number}/labels/{name}": {
      parameters: [path("number"), path("name")],
      delete: { responses: sends(listOf(ref("Label"))) },
    },
    "/labels": {
      get: { responses: sends(listOf(ref("Label"))) },
      post: { requestBody: json(object({ name: text, color: text }, ["name"])), responses: sends(ref("Label"), "201") },
    },
    "/labels/{name}": { parameters: [path("name")], get: { responses: sends(ref("Label")) } },
    "/machines": {
      get: { responses: sends(listOf(ref("Machine"))) },
      post: { requestBody: json(object({ name: text })), responses: sends(ref("Machine"), "201") },
    },
    "/machines/{id}": { parameters: [path("id")], get: { responses: sends(ref("Machine")) } },
    "/machines/{id}/tags": {
      parameters: [path("id")],
      get: { responses: sends(ref("Tags")) },
      put: { requestBody: json(object({ tags: listOf(text) })), responses: sends(ref("Tags")) },
    },
  },
  components: {
    schemas: {
      Issue: object({ number: { type: "integer" }, title: text, labels: listOf({ oneOf: [text, ref("Shown")] }) }, [
        "number",
        "title",
        "labels",
      ]),
      Shown: object({ id: { type: "integer" }, name: text, color: text }),
      Label: object({ id: { type: "integer" }, name: text, color: text }, ["id", "name", "color"]),
      Machine: object({ id: { type: "integer" }, name: text, tags: listOf(ref("Tag")) }, ["id", "tags"]),
      Tag: object({ name: text }, ["name"]),
      Tags: object({ total_count: { type: "integer" }, tags: listOf(ref("Tag")) }, ["total_count", "tags"]),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(tracker);
});

/** An issue of its own. */
async function issue(labels: string[] = []): Promise<{ ask: Served["ask"]; at: string }> {
  const ask = apart(served);
  const { body } = await ask("POST /issues", { body: { title: "It rains", labels } });
  return { ask, at: `/issues/${(body as { number: number }).number}` };
}

const label = (name: string) => ({ id: expect.any(Number), name, color: expect.any(String) });

test("POST adds to the list, and responds with all of it", async () => {
  const { ask, at } = await issue(["old"]);
  const { status, body } = await ask(`POST ${at}/labels`, { body: { labels: ["bug", "old"] } });
  expect([status, body]).toEqual([200, [label("old"), label("bug")]]);
  const ids = (body as { id: number }[]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect((await ask(`GET ${at}/labels`)).body).toEqual(body);
  expect((await ask(`GET ${at}`)).body).toMatchObject({ labels: [{ name: "old" }, { name: "bug" }] });
});

test("two records may have the same element", async () => {
  const { ask, at } = await issue();
  const { body } = await ask("POST /issues", { body: { title: "It snows", labels: [] } });
  for (const path of [at, `/issues/${(body as { number: number }).number}`]) {
    expect((await ask(`POST ${path}/labels`, { body: { labels: ["bug"] } })).body).toEqual([label("bug")]);
  }
});

test("an element is the record of its name", async () => {
  const { ask, at } = await issue();
  const made = (await ask("POST /labels", { body: { name: "wet", color: "00f" } })).body;
  expect((await ask(`POST ${at}/labels`, { body: { labels: ["wet"] } })).body).toEqual([made]);
});

test("PUT sets the list, DELETE empties it", async () => {
  const { ask, at } = await issue(["old"]);
  expect((await ask(`PUT ${at}/labels`, { body: { labels: ["new"] } })).body).toEqual([label("new")]);
  expect((await ask(`DELETE ${at}/labels`)).status).toBe(204);
  expect((await ask(`GET ${at}/labels`)).body).toEqual([]);
});

test("DELETE of one element responds with the others, and 404 without it", async () => {
  const { ask, at } = await issue(["a", "b"]);
  expect((await ask(`DELETE ${at}/labels/a`)).body).toEqual([label("b")]);
  expect((await ask(`DELETE ${at}/labels/a`)).status).toBe(404);
  expect((await ask(`GET ${at}`)).body).toMatchObject({ labels: ["b"] });
  expect((await ask("GET /issues/999/labels")).status).toBe(404);
  expect((await ask("POST /issues/999/labels", { body: { labels: ["a"] } })).status).toBe(404);
});

test("pages and envelopes of the list are those of the document", async () => {
  const { ask, at } = await issue(["a", "b", "c"]);
  expect((await ask(`GET ${at}/labels?per_page=2&page=2`)).body).toEqual([label("c")]);
  const { body } = await ask("POST /machines", { body: { name: "one" } });
  const tags = `/machines/${(body as { id: number }).id}/tags`;
  const set = { total_count: 2, tags: [{ name: "x" }, { name: "y" }] };
  expect((await ask(`PUT ${tags}`, { body: { tags: ["x", "y"] } })).body).toEqual(set);
  expect((await ask(`GET ${tags}`)).body).toEqual(set);
});
