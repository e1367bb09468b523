import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const inPath = (name: string, schema = text): JsonObject => ({ name, in: "path", required: true, schema });
const sends = (schema: JsonObject, example?: JsonObject[]): JsonObject => ({
  200: {
    description: "Sent",
    content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
  },
});
const listOf = (name: string, example?: JsonObject[]): JsonObject => ({
  get: { responses: sends({ type: "array", items: ref(name) }, example) },
});
const object = (properties: JsonObject): JsonObject => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Files", version: "1" },
  paths: {
    "/files/{file_key}/comments": {
      parameters: [inPath("file_key")],
      ...listOf("Comment"),
      post: {
        requestBody: { content: { "application/json": { schema: object({ message: text }) } } },
        responses: { 201: response(ref("Comment")) },
      },
    },
    "/files/{file_key}/comments/{id}": {
      parameters: [inPath("file_key"), inPath("id", integer)],
      get: { responses: sends(ref("Comment")) },
      delete: { responses: { 204: { description: "Removed" } } },
    },
    "/files/{file_key}/comments/{comment_id}/replies": {
      parameters: [inPath("file_key"), inPath("comment_id", integer)],
      ...listOf("Reply"),
    },
    "/files/{file_key}/versions": {
      parameters: [inPath("file_key", { ...text, example: "a1b2c3" })],
      ...listOf("Version"),
    },
    "/files/{file_key}/versions/{id}": {
      parameters: [inPath("file_key"), inPath("id", integer)],
      get: { responses: sends(ref("Version")) },
    },
    "/orgs/{orgId}/members": { parameters: [inPath("orgId")], ...listOf("Member") },
    "/orgs/{orgId}/teams": {
      parameters: [inPath("orgId")],
      ...listOf("Team", [
        { id: 1, org_id: "north", name: "One" },
        { id: 2, org_id: "south", name: "Two" },
      ]),
    },
    "/orgs/{orgId}/teams/{id}": {
      parameters: [inPath("orgId"), inPath("id", integer)],
      get: { responses: sends(ref("Team")) },
    },
    "/{platform}/apps": {
      parameters: [inPath("platform", { ...text, enum: ["ios", "android"] })],
      ...listOf("App"),
    },
    "/{platform}/apps/{id}": {
      parameters: [inPath("platform", { ...text, enum: ["ios", "android"] }), inPath("id", integer)],
      get: { responses: sends(ref("App")) },
    },
    "/orgs/{orgId}/members/{id}": {
      parameters: [inPath("orgId"), inPath("id", integer)],
      get: { responses: sends(ref("Member")) },
    },
  },
  components: {
    schemas: {
      Comment: object({ id: integer, file_key: text, message: text }),
      Reply: object({ id: integer, comment_id: integer, file_key: text }),
      Version: object({ id: integer, file_key: text }),
      Member: object({ id: integer, org: object({ id: text, title: text }) }),
      Team: object({ id: integer, org_id: text, name: text }),
      App: object({ id: integer, platform: { ...text, enum: ["ios", "android"] } }),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

const list = async (path: string, ask = served.ask) => (await ask(`GET ${path}`)).body as JsonObject[];

describe("generated records below a parent that nothing serves", () => {
  test("are found whatever its key, in lists, alone, and with records below them", async () => {
    const all = await list("/files/mine/comments");
    expect(all.length).toBeGreaterThan(0);
    expect(await list("/files/other/comments")).toEqual(all);
    const [first] = all;
    expect((await served.ask(`GET /files/mine/comments/${first?.id}`)).body).toEqual(first);
    const replies = await Promise.all(all.map(({ id }) => list(`/files/mine/comments/${id}/replies`)));
    expect(replies.flat().length).toBeGreaterThan(0);
    expect((await list("/orgs/mine/members")).length).toBeGreaterThan(0);
  });

  test("agree on the key in all collections: that of an example, if the document has one", async () => {
    const keys = [...(await list("/files/x/versions")), ...(await list("/files/x/comments"))].map(
      (one) => one.file_key,
    );
    expect(new Set(keys)).toEqual(new Set(["a1b2c3"]));
  });

  test("stand beside those that are created, which belong to one parent", async () => {
    const ask = apart(served);
    const before = await list("/files/mine/comments", ask);
    const created = (await ask("POST /files/mine/comments", { body: { message: "Hello" } })).body as JsonObject;
    expect(created.file_key).toBe("mine");
    expect(await list("/files/mine/comments", ask)).toEqual([...before, created]);
    expect(await list("/files/other/comments", ask)).toEqual(before);
    expect((await ask(`GET /files/other/comments/${created.id}`)).status).toBe(404);
    expect((await ask(`DELETE /files/other/comments/${before[0]?.id}`)).status).toBe(204);
    expect(await list("/files/mine/comments", ask)).toEqual([...before.slice(1), created]);
  });

  test("are those of one parent where examples name several, or where a few can be chosen from", async () => {
    expect((await list("/orgs/north/teams")).map(({ id }) => id)).toEqual([1]);
    expect((await list("/orgs/south/teams")).map(({ id }) => id)).toEqual([2]);
    expect(await list("/orgs/west/teams")).toEqual([]);
    for (const one of ["ios", "android"]) {
      const platforms = (await list(`/${one}/apps`)).map(({ platform }) => platform);
      expect(new Set(platforms)).toEqual(new Set([one]));
    }
  });
});
