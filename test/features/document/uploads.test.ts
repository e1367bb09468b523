import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createDatabase } from "../../postgres/database.ts";
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
        requestBody: {
          content: {
            "multipart/form-data": { schema: object({ file: { ...text, format: "binary" }, purpose: text }) },
          },
        },
        responses: sends(file),
      },
    },
    "/files/{id}": { get: { responses: sends(file) } },
    "/files/{id}/content": { get: { responses: sends(text) } },
    ...collection("/owners", object({ id: integer, name: text })),
    ...collection("/owners/{ownerId}/pets", object({ id: integer, ownerId: integer })),
    ...collection("/owners/{ownerId}/pets/{petId}/visits", object({ id: integer, petId: integer, reason: text })),
  },
};

const bytes = Uint8Array.of(0, 255, 254, 10, 13, 10, 7);

async function upload(url: string): Promise<JsonObject> {
  const form = new FormData();
  form.set("file", new Blob([bytes], { type: "image/png" }), "Füße.png");
  form.set("purpose", "test");
  const response = await fetch(`${url}/files`, { method: "POST", body: form });
  return (await response.json()) as JsonObject;
}

test("a form that is described as a file alone may be any form, and no body of another type", async () => {
  const schema = { ...text, format: "binary" };
  const post = { requestBody: { content: { "multipart/form-data": { schema } } }, responses: sends(file) };
  const paths = {
    "/files": { get: { responses: sends({ type: "array", items: file }) }, post },
    "/files/{id}": { get: { responses: sends(file) } },
  };
  const { standin, ask } = await serve({ openapi: "3.0.3", info: { title: "Files", version: "1" }, paths });
  const created = await upload(standin.url);
  expect(created).toMatchObject({ filename: "Füße.png", bytes: bytes.length });
  expect((await ask(`GET /files/${created.id}`)).body).toEqual(created);
  const refused = await ask("POST /files", { body: "{}", headers: { "content-type": "application/json" } });
  expect(refused.status).toBe(415);
});

test("a file in a form gives its record its name, size and type", async () => {
  const { standin, ask } = await serve(api);
  const created = await upload(standin.url);
  expect(created).toEqual({
    id: expect.any(String),
    filename: "Füße.png",
    bytes: 7,
    mime_type: "image/png",
    purpose: "test",
  });
  expect((await ask(`GET /files/${String(created.id)}`)).body).toEqual(created);
  expect(JSON.stringify((await ask("GET /files")).body)).not.toContain("base64");
});

test.each(["in memory", "in PostgreSQL"])("a file %s is sent back as it came", async (place) => {
  const { standin, ask } = await serve(api, place === "in PostgreSQL" ? { data: await createDatabase() } : {});
  const { id } = await upload(standin.url);
  const response = await fetch(`${standin.url}/files/${id}/content`);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("content-disposition")).toBe("attachment");
  expect((await ask("GET /files/none/content")).status).toBe(404);
  const [generated] = (await ask("GET /files")).body as JsonObject[];
  expect(typeof (await ask(`GET /files/${generated?.id}/content`)).body).toBe("string");
});

test("a record can be created two levels deep without a list there", async () => {
  const visit = object({ id: integer, petId: integer, reason: text });
  const paths = {
    ...collection("/owners", object({ id: integer, name: text })),
    ...collection("/owners/{ownerId}/pets", object({ id: integer, ownerId: integer })),
    ...collection("/visits", { $ref: "#/components/schemas/visit" }),
    "/owners/{ownerId}/pets/{petId}/visits": {
      post: {
        requestBody: json(object({ reason: text })),
        responses: { "201": { description: "", ...json({ $ref: "#/components/schemas/visit" }) } },
      },
    },
  };
  const { ask } = await serve({ ...api, paths, components: { schemas: { visit } } });
  const [pet] = ((await ask("GET /db")).body as { pets: JsonObject[] }).pets;
  const created = await ask(`POST /owners/${pet?.ownerId}/pets/${pet?.id}/visits`, { body: { reason: "rabies" } });
  expect([created.status, created.body]).toEqual([201, { id: 13, petId: pet?.id, reason: "rabies" }]);
  expect((await ask("GET /visits/13")).body).toEqual(created.body);
  expect((await ask("POST /owners/1/pets/999/visits", { body: { reason: "rabies" } })).status).toBe(404);
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

test.each([
  ["an address", { ...text, format: "uri" }, expect.stringMatching(/^http:.*\/__files\/[\da-f]{64}\/F/)],
  ["a text", { ...text, format: "binary" }, expect.stringMatching(/^http:.*\/__files\//)],
  [
    "an object",
    object({ name: text, size: integer, url: text }),
    expect.objectContaining({ name: "Füße.png", size: 7 }),
  ],
  ["a list", { type: "array", items: text }, [expect.stringMatching(/\/__files\//)]],
])("a file in a form becomes %s, where records have that", async (_name, photo, expected) => {
  const pet = object({ id: integer, name: text, photo });
  const sent = object({ name: text, photo: { ...text, format: "binary" } });
  const paths = {
    "/pets": {
      get: { responses: sends({ type: "array", items: pet }) },
      post: { requestBody: { content: { "multipart/form-data": { schema: sent } } }, responses: sends(pet) },
    },
    "/pets/{id}": { get: { responses: sends(pet) } },
  };
  const { standin, ask } = await serve({ ...api, paths });
  const form = new FormData();
  form.set("name", "Rex");
  form.set("photo", new Blob([bytes], { type: "image/png" }), "Füße.png");
  const created = (await (await fetch(`${standin.url}/pets`, { method: "POST", body: form })).json()) as JsonObject;
  expect(created).toEqual({
    id: created.id,
    name: "Rex",
    photo: expected,
  });
  expect((await ask(`GET /pets/${String(created.id)}`)).body).toEqual(created);
  const [one] = [created.photo].flat();
  const url = typeof one === "string" ? one : `${standin.url}${(one as { url: string }).url}`;
  expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
});

const binary = (...types: string[]): JsonObject => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: { ...text, format: "binary" } }])),
});
const pet = object({ id: integer, name: text });
const PETS: JsonObject = {
  ...collection("/pets", pet),
  "/pets/{petId}/photo": {
    put: { requestBody: binary("image/png", "image/jpeg"), responses: { "204": { description: "" } } },
    get: { responses: { "200": { description: "", ...binary("image/png") } } },
  },
  "/pets/{petId}/scan": {
    // Some describe bytes as a list of them.
    post: {
      requestBody: {
        content: { "application/octet-stream": { schema: { type: "array", items: { ...text, format: "byte" } } } },
      },
      responses: sends(pet),
    },
    get: { responses: { "200": { description: "", ...binary("application/octet-stream") } } },
  },
};

test("a body that is a file is kept with its record, and sent back from the same path", async () => {
  const { standin, ask } = await serve({ ...api, paths: PETS });
  const [first] = (await ask("GET /pets")).body as JsonObject[];
  const at = `/pets/${first?.id}`;
  const send = (line: string, type: string, body: Uint8Array = bytes) =>
    ask(line, { body: Buffer.from(body), headers: { "Content-Type": type } });
  expect((await send(`PUT ${at}/photo`, "image/png")).status).toBe(204);
  const scanned = await send(`POST ${at}/scan`, "application/octet-stream", Uint8Array.of(9, 0, 200));
  expect([scanned.status, scanned.body]).toEqual([200, first]);
  const sent = await fetch(`${standin.url}${at}/photo`);
  expect([sent.headers.get("content-type"), new Uint8Array(await sent.arrayBuffer())]).toEqual(["image/png", bytes]);
  expect([...(await ask(`GET ${at}/scan`)).bytes]).toEqual([9, 0, 200]);
  expect((await ask(`GET ${at}`)).body).toEqual(first);
  expect((await send(`PUT ${at}/photo`, "text/plain")).status).toBe(415);
  expect((await send("PUT /pets/none/photo", "image/png")).status).toBe(404);
});

test("a body that is a file creates a record with its size and type", async () => {
  const paths = {
    ...(api.paths as JsonObject),
    "/files": {
      get: { responses: sends({ type: "array", items: file }) },
      post: {
        requestBody: binary("image/png"),
        responses: { "201": { description: "", ...json(file) } },
      },
    },
  };
  const { standin, ask } = await serve({ ...api, paths });
  const made = await ask("POST /files", { body: Buffer.from(bytes), headers: { "Content-Type": "image/png" } });
  expect([made.status, made.body]).toMatchObject([201, { bytes: 7, mime_type: "image/png" }]);
  const { id } = made.body as JsonObject;
  const sent = await fetch(`${standin.url}/files/${id}/content`);
  expect(new Uint8Array(await sent.arrayBuffer())).toEqual(bytes);
});

test("a name that is sent with a file wins over that of the file, also under another name", async () => {
  const paths = {
    "/files": {
      get: { responses: sends({ type: "array", items: file }) },
      post: {
        requestBody: {
          content: { "multipart/form-data": { schema: object({ file: { ...text, format: "binary" }, name: text }) } },
        },
        responses: { "201": { description: "", ...json(file) } },
      },
    },
    "/files/{id}": { get: { responses: sends(file) } },
  };
  const { standin } = await serve({ ...api, paths });
  const form = new FormData();
  form.set("file", new Blob([bytes], { type: "image/png" }), "Füße.png");
  form.set("name", "Feet");
  const made = await fetch(`${standin.url}/files`, { method: "POST", body: form });
  expect(await made.json()).toMatchObject({ filename: "Feet", bytes: 7 });
});
