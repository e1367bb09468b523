import type { JsonObject } from "../../../src/base/json/json.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text: JsonObject = { type: "string" };
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject, status = "200"): JsonObject => ({ [status]: { description: "", ...json(schema) } });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const path = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });
const query = (name: string, schema: JsonObject = { type: "integer" }): JsonObject => ({ name, in: "query", schema });
const pages = [query("page"), query("per_page")];
const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

/** Paths whose records are found by other fields than an id, or of which there is only one. */
export const codeHost: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Code", version: "1" },
  paths: {
    "/user/repos": {
      get: { parameters: pages, responses: sends(listOf(ref("Repo"))) },
      post: { requestBody: json(ref("NewRepo")), responses: sends(ref("Repo"), "201") },
    },
    "/repos/{owner}/{repo}": {
      parameters: [path("owner"), path("repo")],
      get: { responses: sends(ref("Repo")) },
      patch: { requestBody: json(ref("NewRepo")), responses: sends(ref("Repo")) },
      delete: { responses: { "204": { description: "" } } },
    },
    "/repos/{owner}/{repo}/archive": {
      parameters: [path("owner"), path("repo")],
      post: { responses: sends(ref("Repo")) },
    },
    "/popular": { get: { parameters: pages, responses: sends(listOf(ref("Repo"))) } },
    "/events": {
      get: { parameters: [...pages, query("kind", text)], responses: sends(listOf(closed({ kind: text }))) },
    },
    "/languages": { get: { responses: sends(listOf(closed({ kind: text }))) } },
    "/user": {
      get: { responses: sends({ type: "object", properties: { user: ref("User") } }) },
      put: {
        requestBody: json({ type: "object", properties: { user: { type: "object", properties: { bio: text } } } }),
        responses: sends({ type: "object", properties: { user: ref("User") } }),
      },
    },
    "/users": {
      post: {
        requestBody: json({
          type: "object",
          properties: { user: { type: "object", properties: { login: text, email: text, password: text } } },
        }),
        responses: sends({ type: "object", properties: { user: ref("User") } }, "201"),
      },
    },
    "/teams": { get: { responses: sends(listOf(ref("Team"))) } },
    "/teams/{id}": { get: { parameters: [path("id")], responses: sends(ref("Team")) } },
    "/teams/{id}/settings": {
      parameters: [path("id")],
      get: { responses: sends(closed({ theme: text, size: { type: "integer" } })) },
      patch: {
        requestBody: json({ type: "object", properties: { theme: text, size: { type: "integer" } } }),
        responses: sends(closed({ theme: text, size: { type: "integer" } })),
      },
    },
  },
  components: {
    schemas: {
      Repo: {
        type: "object",
        required: ["id", "name", "owner"],
        properties: {
          id: { type: "integer" },
          name: text,
          description: text,
          archived: { type: "boolean" },
          owner: { type: "object", required: ["login", "name"], properties: { name: text, login: text } },
        },
      },
      NewRepo: { type: "object", properties: { name: text, description: text } },
      User: closed({ login: text, email: text, bio: text }),
      Team: closed({ id: text, name: text }),
    },
  },
};
