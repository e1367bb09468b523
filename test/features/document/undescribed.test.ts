import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const id = (type: string, name = "id") => ({ name, in: "path", required: true, schema: { type } });
const sends = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
const nothing = (status = 200) => ({ responses: { [status]: { description: "" } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string) => ({ responses: { 200: { ...sends({ type: "array", items: ref(name) }) } } });

/** As generators write it that know the requests of handlers, and not what they return. */
const clinic: JsonObject = {
  openapi: "3.0.0",
  info: { title: "Clinic", version: "1" },
  paths: {
    "/visits": { get: nothing(), post: { requestBody: sends(ref("CreateVisit")), ...nothing(201) } },
    "/visits/{id}": {
      parameters: [id("integer")],
      get: nothing(),
      put: { requestBody: sends(ref("UpdateVisit")), ...nothing() },
      delete: nothing(),
    },
    "/rooms": { get: nothing() },
    "/rooms/{roomId}": { parameters: [id("string", "roomId")], get: nothing(), delete: nothing(204) },
    "/wards-v1": { get: nothing() },
    "/wards-v1/{ward}": { parameters: [id("string", "ward")], get: nothing() },
    "/totals": { get: nothing() },
    "/totals/{year}": { parameters: [id("integer", "year")], get: nothing() },
    "/members": { get: listOf("Person") },
    "/members/{username}": {
      parameters: [id("string", "username")],
      get: nothing(204),
      delete: nothing(204),
    },
    "/letters": { get: listOf("Person") },
    "/letters/{id}": {
      parameters: [id("integer")],
      get: { responses: { 200: { content: { "application/pdf": {} } } } },
      delete: nothing(204),
    },
    "/health": { get: nothing(500) },
    "/nurses": { get: listOf("Person") },
    "/nurses/{id}": { parameters: [id("integer")], get: { responses: { 200: sends({}) } } },
  },
  components: {
    schemas: {
      CreateVisit: {
        type: "object",
        required: ["patient"],
        additionalProperties: false,
        properties: { patient: { type: "string" }, password: { type: "string" }, note: { type: "string" } },
      },
      UpdateVisit: {
        type: "object",
        additionalProperties: false,
        properties: { note: { type: "string" }, isDone: { type: "boolean" } },
      },
      Person: {
        type: "object",
        required: ["id", "login"],
        properties: { id: { type: "integer" }, login: { type: "string" } },
      },
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(clinic);
});

describe("paths whose responses have no body in the document", () => {
  test("list, create, read, change and remove records of what requests send", async () => {
    const ask = apart(served);
    const listed = (await ask("GET /visits")).body as JsonObject[];
    expect(Object.keys(listed[0]!).sort()).toEqual(expect.arrayContaining(["id", "patient"]));
    const created = await ask("POST /visits", { body: { patient: "Ada", password: "x" } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ id: listed.length + 1, patient: "Ada" });
    expect(created.body).not.toHaveProperty("password");
    const path = `/visits/${(created.body as JsonObject).id}`;
    expect((await ask(`PUT ${path}`, { body: { isDone: true } })).body).toMatchObject({ patient: "Ada", isDone: true });
    expect((await ask(`GET ${path}`)).body).toMatchObject({ patient: "Ada", isDone: true });
    expect((await ask(`DELETE ${path}`)).status).toBe(200);
    expect((await ask(`GET ${path}`)).status).toBe(404);
  });

  test("without a request that says more, records are ids; paths that name none are not bound", async () => {
    const ask = apart(served);
    const [room] = (await ask("GET /rooms")).body as JsonObject[];
    expect(Object.keys(room!)).toEqual(["id"]);
    expect((await ask(`DELETE /rooms/${room!.id}`)).status).toBe(204);
    expect((await ask(`GET /rooms/${room!.id}`)).status).toBe(404);
    const [ward] = (await ask("GET /wards-v1")).body as JsonObject[];
    expect((await ask(`GET /wards-v1/${ward!.id}`)).body).toEqual(ward);
    expect((await ask("GET /totals")).text).toBe("");
  });

  test("tell whether a record is there", async () => {
    const ask = apart(served);
    const [member] = (await ask("GET /members")).body as JsonObject[];
    const path = `/members/${member!.login}`;
    expect((await ask(`GET ${path}`)).status).toBe(204);
    await ask(`DELETE ${path}`);
    expect((await ask(`GET ${path}`)).status).toBe(404);
  });

  test("may be described elsewhere: by the list, or not be JSON", async () => {
    const ask = apart(served);
    const [nurse] = (await ask("GET /nurses")).body as JsonObject[];
    expect((await ask(`GET /nurses/${nurse!.id}`)).body).toEqual(nurse);
    const [letter] = (await ask("GET /letters")).body as JsonObject[];
    expect((await ask(`GET /letters/${letter!.id}`)).headers.get("Content-Type")).toBe("application/pdf");
    expect((await ask(`DELETE /letters/${letter!.id}`)).status).toBe(204);
    expect((await ask("GET /letters")).body).not.toContainEqual(letter);
  });

  test("that are failures alone are sent to those who ask for them", async () => {
    const ask = apart(served);
    expect((await ask("GET /health")).status).toBe(204);
    expect((await ask("GET /health", { headers: { Prefer: "code=500" } })).status).toBe(500);
  });
});

/** As generators write it that call handlers with an empty database, or without a token. */
const shop: JsonObject = {
  openapi: "3.0.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/teas": {
      get: {
        responses: { 200: { content: { "application/json": { schema: { type: "array", items: {} }, example: [] } } } },
      },
      post: { requestBody: sends(ref("Tea")), responses: { 201: sends(ref("Tea")) } },
    },
    "/teas/{id}": { parameters: [id("integer")], get: { responses: { 200: sends(ref("Tea")) } } },
    "/cups": {
      get: {
        responses: {
          200: sends({
            type: "object",
            properties: { data: { type: "array", example: [] }, total: { type: "integer" } },
          }),
        },
      },
    },
    "/cups/{id}": { parameters: [id("integer")], get: { responses: { 200: sends(ref("Tea")) } } },
    "/orders": {
      get: { parameters: [{ name: "page", in: "query", schema: { type: "integer" } }], ...nothing(401) },
      post: { requestBody: sends(ref("Order")), responses: {} },
    },
    "/orders/{order_or_code}": {
      parameters: [id("integer", "order_or_code")],
      get: nothing(401),
      put: { requestBody: sends(ref("Order")), responses: {} },
      delete: nothing(401),
    },
    "/orders/{order}/notes": {
      parameters: [id("integer", "order")],
      get: nothing(),
      post: { requestBody: sends(ref("Order")), ...nothing(201) },
    },
    "/bills": { post: { requestBody: sends(ref("Order")), ...nothing(201) } },
    "/bills/{id}": { parameters: [id("integer")], get: nothing(), delete: nothing(204) },
    "/forms": { get: file(), post: { requestBody: sends(ref("Order")), ...file() } },
    "/forms/{id}": { parameters: [id("integer")], get: file(), delete: nothing(204) },
    "/names": { get: { responses: { 200: sends({ type: "array" }) } } },
    "/names/{name}": { parameters: [id("string", "name")], delete: nothing(204), get: nothing(204) },
    "/scans": { post: { requestBody: upload(), ...nothing(201) } },
    "/scans/{id}": { parameters: [id("integer")], get: nothing() },
  },
  components: {
    schemas: {
      Tea: { type: "object", properties: { id: { type: "integer", readOnly: true }, title: { type: "string" } } },
      Order: { type: "object", required: ["code"], properties: { code: { type: "string" }, note: { type: "string" } } },
    },
  },
};

function file(): JsonObject {
  const content = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  return { responses: { 200: { description: "", content } } };
}

function upload(): JsonObject {
  const schema = { type: "object", properties: { scan: { type: "string", format: "binary" } } };
  return { content: { "multipart/form-data": { schema } } };
}

describe("paths whose responses tell nothing of records", () => {
  let shopServed: Served;
  beforeAll(async () => {
    shopServed = await serve(shop);
  });

  test("lists of anything have the records of the other responses", async () => {
    const ask = apart(shopServed);
    const teas = (await ask("GET /teas")).body as JsonObject[];
    expect(Object.keys(teas[0]!).sort()).toEqual(["id", "title"]);
    const { id: created } = (await ask("POST /teas", { body: { title: "Oolong" } })).body as JsonObject;
    expect((await ask("GET /teas")).body).toContainEqual({ id: created, title: "Oolong" });
    const cups = (await ask("GET /cups")).body as { data: JsonObject[]; total: number };
    expect(cups.total).toBe(cups.data.length);
    expect((await ask(`GET /cups/${cups.data[0]!.id}`)).body).toEqual(cups.data[0]);
  });

  test.each(["/orders", "/bills", "/forms"])("%s creates and reads what requests send", async (path) => {
    const ask = apart(shopServed);
    const created = await ask(`POST ${path}`, { body: { code: "A1" } });
    expect(created.status).toBe(path === "/forms" ? 200 : 201);
    const { id: key } = created.body as JsonObject;
    expect((await ask(`GET ${path}/${key}`)).body).toMatchObject({ id: key, code: "A1" });
    if (path === "/orders") {
      expect((await ask(`GET ${path}?page=1`)).status).toBe(200);
      expect((await ask(`PUT ${path}/${key}`, { body: { code: "A2" } })).body).toMatchObject({ id: key, code: "A2" });
    }
    expect((await ask(`DELETE ${path}/${key}`)).status).toBe(204);
    expect((await ask(`GET ${path}/${key}`)).status).toBe(404);
  });

  test("a list and a create operation alone are enough", async () => {
    const ask = apart(shopServed);
    await ask("POST /orders/1/notes", { body: { code: "N1" } });
    expect((await ask("GET /orders/1/notes")).body).toContainEqual(expect.objectContaining({ code: "N1" }));
  });

  test("lists of names and paths that take files are not bound", async () => {
    const ask = apart(shopServed);
    const names = (await ask("GET /names")).body as JsonObject[];
    expect(names.some((one) => typeof one === "object" && "name" in one)).toBe(false);
    expect((await ask("GET /scans/1")).text).toBe("");
  });
});
