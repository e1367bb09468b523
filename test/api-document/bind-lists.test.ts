import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";

const text: JsonObject = { type: "string" };
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
const array = (items: JsonObject): JsonObject => ({ type: "array", items });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const sends = (schema?: JsonObject): JsonObject => ({
  responses: { 200: { description: "", ...(schema && { content: { "application/json": { schema } } }) } },
});
const takes = (schema: JsonObject): JsonObject => ({
  requestBody: { content: { "application/json": { schema } } },
  ...sends(),
});

const schemas: JsonObject = {
  Field: object({ id: text, name: text }),
  Hook: object({ name: text, address: text }),
  Folder: object({ id: text, title: text }),
};
const pages = object({ count: { type: "integer" } });

/** One line for each operation: `list GET /fields custom_fields`. */
async function bind(paths: JsonObject): Promise<string[]> {
  const root = { openapi: "3.1.0", info: { title: "Lists", version: "1" }, paths, components: { schemas } };
  const { collections } = bindDocument(await readApiDocument({ file: "lists.json", root }));
  return collections.flatMap(({ operations }) =>
    operations.map(({ action, operation: { method, path }, at }) =>
      [action, method, path.text, ...(at && at.length > 0 ? [at.join(".")] : [])].join(" "),
    ),
  );
}

const cases: [string, JsonObject, string[]][] = [
  [
    "of two lists, the one that is named like the wildcard",
    {
      "/definitions": { get: sends(object({ custom_fields: array(ref("Field")), reserved: array(ref("Hook")) })) },
      "/definitions/{custom_field_id}": { delete: sends() },
    },
    ["list GET /definitions custom_fields", "remove DELETE /definitions/{custom_field_id}"],
  ],
  [
    "of two lists, the one of what the path below it sends",
    {
      "/templates": { get: sends(object({ saved: array(ref("Hook")), folders: array(ref("Folder")) })) },
      "/templates/{name}": { get: sends(ref("Hook")) },
    },
    ["list GET /templates saved", "read GET /templates/{name}"],
  ],
  [
    "the only list beside facts of pages, where nothing sends a single record",
    {
      "/categories": { get: sends(object({ Entities: array(ref("Field")), Facts: pages })) },
      "/categories/{id}": { put: takes(ref("Field")), delete: sends() },
    },
    ["list GET /categories Entities", "replace PUT /categories/{id}", "remove DELETE /categories/{id}"],
  ],
  [
    "a list at a wildcard, whose records are changed below it and never sent",
    {
      "/hooks/{system}": { get: sends(array(ref("Hook"))) },
      "/hooks/{system}/{name}": { put: takes(ref("Hook")), delete: sends() },
    },
    ["list GET /hooks/{system}", "replace PUT /hooks/{system}/{name}", "remove DELETE /hooks/{system}/{name}"],
  ],
  [
    "a list at a wildcard, where no response is described",
    {
      "/hooks/{system}": { get: sends() },
      "/hooks/{system}/{name}": {
        get: sends(),
        post: { ...takes(ref("Hook")), operationId: "createHook" },
        put: takes(ref("Hook")),
        delete: sends(),
      },
    },
    [
      "list GET /hooks/{system}",
      "read GET /hooks/{system}/{name}",
      "add POST /hooks/{system}/{name}",
      "replace PUT /hooks/{system}/{name}",
      "remove DELETE /hooks/{system}/{name}",
    ],
  ],
  [
    "no list at a wildcard that has a list above it",
    {
      "/hooks": { get: sends(array(object({ system: text, hooks: array(ref("Hook")) }))) },
      "/hooks/{system}": { get: sends(array(ref("Hook"))) },
      "/hooks/{system}/{name}": { delete: sends() },
    },
    ["list GET /hooks", "read GET /hooks/{system}"],
  ],
];

test.each(cases)("%s", async (_, paths, expected) => {
  expect((await bind(paths)).sort()).toEqual([...expected].sort());
});
