import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const object = (properties: JsonObject): JsonObject => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const file = object({ id: text, filename: text, bytes: integer, mime_type: text, purpose: text });

const collection = (path: string, record: JsonObject): JsonObject => ({
  [path]: { get: { responses: sends({ type: "array", items: record }) } },
  [`${path}/{id}`]: { get: { responses: sends(record) } },
});

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Files", version: "1" },
  paths: {
    "/files": {
      get: { responses: sends({ type: "array", items: file }) },
      post: {
        operationId: "createFile",
        requestBody: {
          content: {
            "multipart/form-data": { schema: object({ file: { ...text, format: "binary" }, purpose: text }) },
          },
        },
        responses: sends(file),
      },
    },
    "/files/{id}": { get: { responses: sends(file) } },
    ...collection("/owners", object({ id: integer, name: text })),
    ...collection("/owners/{ownerId}/pets", object({ id: integer, ownerId: integer })),
    ...collection("/owners/{ownerId}/pets/{petId}/visits", object({ id: integer, petId: integer, reason: text })),
  },
};

test("a file in a form gives its record its name, size and type", async () => {
  const { standin, ask } = await serve(api);
  const form = new FormData();
  form.set("file", new Blob([Uint8Array.of(0, 255, 254, 10, 13, 10, 7)], { type: "image/png" }), "Füße.png");
  form.set("purpose", "test");
  const response = await fetch(`${standin.url}/files`, { method: "POST", body: form });
  const created = (await response.json()) as JsonObject;
  expect(created).toEqual({
    id: expect.any(String),
    filename: "Füße.png",
    bytes: 7,
    mime_type: "image/png",
    purpose: "test",
  });
  expect((await ask(`GET /files/${String(created.id)}`)).body).toEqual(created);
});

test("records two levels deep belong to the parent of their parent", async () => {
  const { ask } = await serve(api);
  const { pets, visits } = (await ask("GET /db")).body as {
    pets: { id: number; ownerId: number }[];
    visits: JsonObject[];
  };
  let count = 0;
  for (const { id, ownerId } of pets) {
    count += ((await ask(`GET /owners/${ownerId}/pets/${id}/visits`)).body as unknown[]).length;
  }
  expect([count, visits.length]).toEqual([visits.length, 12]);
});
