import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };

function item(schema: JsonObject = text): JsonObject {
  return { parameters: [{ name: "id", in: "path", required: true, schema }] };
}

function list(schema: JsonObject): JsonObject {
  return { responses: { 200: response({ type: "array", items: schema }) } };
}

function one(schema: JsonObject, requestBody?: JsonObject): JsonObject {
  return { ...(requestBody ? { requestBody } : {}), responses: { 200: response(schema) } };
}

function query(name: string, schema: JsonObject = text): JsonObject {
  return { name, in: "query", schema };
}

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: "object", required, properties };
}

/** Records that are changed, created, shown and removed in ways that are not those of their fields. */
const vendor: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Vendor", version: "1" },
  paths: {
    "/carts": { get: list(ref("Cart")), post: one(ref("Cart"), json(object({ key: text, lines: ref("Lines") }))) },
    "/carts/{id}": { ...item(), get: one(ref("Cart")), post: one(ref("Cart"), json(ref("CartUpdate"))) },
    "/assets": {
      get: list(ref("Asset")),
      post: {
        operationId: "createAsset",
        parameters: [query("name"), query("size", integer), query("trace")],
        responses: { 201: response(ref("Asset")) },
      },
    },
    "/assets/{id}": {
      ...item(),
      get: one(ref("Asset")),
      put: { parameters: [query("name")], ...one(ref("Asset")) },
    },
    "/cards": {
      get: list(ref("Card")),
      post: { operationId: "createCard", ...one({ anyOf: [ref("Card"), ref("Account")] }, json(ref("NewCard"))) },
    },
    "/cards/{id}": {
      ...item(),
      get: one(ref("Card")),
      delete: one({ anyOf: [ref("Card"), { anyOf: [ref("DeletedAccount"), ref("DeletedCard")] }] }),
    },
    "/reports": {
      get: list(ref("Report")),
      post: one(ref("Report"), json(object({ owner: object({ id: text, kind: text }) }, ["owner"]))),
    },
    "/reports/{id}": { ...item(), get: one(ref("Report")) },
    "/tariffs": { get: list(ref("Tariff")) },
    "/tariffs/{id}": { ...item(), get: one(ref("Tariff")) },
  },
  components: {
    schemas: {
      Lines: { type: "array", items: object({ id: text, sku: text }) },
      Cart: object(
        {
          id: text,
          version: integer,
          key: text,
          lines: ref("Lines"),
          state: { type: "string", enum: ["open", "frozen"] },
        },
        ["id", "version"],
      ),
      CartUpdate: object(
        { version: integer, actions: { type: "array", items: object({ action: text }, ["action"]) } },
        ["version", "actions"],
      ),
      Asset: object({ id: text, name: text, size: integer, created_at: { type: "string", format: "dateTime" } }),
      NewCard: object({ number: text, cvc: text, owner: text }),
      Card: object({ id: text, object: { type: "string", enum: ["card"] }, owner: text }, ["id", "object"]),
      Account: object({ id: text, object: { type: "string", enum: ["account"] } }, ["id", "object"]),
      DeletedAccount: object({ id: text, object: { enum: ["account"] }, deleted: { type: "boolean", enum: [true] } }, [
        "id",
        "object",
        "deleted",
      ]),
      DeletedCard: object({ id: text, object: { enum: ["card"] }, deleted: { type: "boolean", enum: [true] } }, [
        "id",
        "object",
        "deleted",
      ]),
      Report: object({ id: text, owner: object({ owner: object({ id: text, kind: text }) }) }),
      Tariff: object({ Name: { ...text, readOnly: true }, FolderId: { ...text, readOnly: true } }),
    },
  },
};

describe("documents whose requests are no records", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(vendor, { validate: "on" });
  });

  test.each<[string, JsonObject[], JsonObject]>([
    ["set a field", [{ action: "setKey", key: "b" }], { key: "b" }],
    ["unset a field", [{ action: "setKey" }], {}],
    [
      "add to a list",
      [{ action: "addCartLine", id: "2", sku: "lamp" }],
      {
        lines: [
          { id: "1", sku: "desk" },
          { id: "2", sku: "lamp" },
        ],
      },
    ],
    ["remove from a list", [{ action: "removeLine", lineId: "1" }], { lines: [] }],
    ["change the state", [{ action: "freeze" }, { action: "transition", state: "frozen" }], { state: "frozen" }],
  ])("listed changes %s", async (_, actions, expected) => {
    const ask = apart(served);
    const made = await ask("POST /carts", { body: { key: "a", lines: [{ id: "1", sku: "desk" }] } });
    const { id, version } = made.body as { id: string; version: number };
    const changed = await ask(`POST /carts/${id}`, { body: { version, actions } });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ ...expected, version: version + 1 });
    expect(changed.body).not.toHaveProperty("actions");
    if (Object.keys(expected).length === 0) expect(changed.body).not.toHaveProperty("key");
    expect((await ask(`GET /carts/${id}`)).body).toEqual(changed.body);
  });

  test("parameters of a request without a body are its fields", async () => {
    const ask = apart(served);
    const before = Date.now();
    const made = await ask("POST /assets?name=a.txt&size=7&trace=x");
    const { id, created_at } = made.body as { id: string; created_at: string };
    expect(made.body).toMatchObject({ name: "a.txt", size: 7 });
    expect(made.body).not.toHaveProperty("trace");
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
    await ask(`PUT /assets/${id}?name=b.txt`);
    expect((await ask(`GET /assets/${id}`)).body).toMatchObject({ name: "b.txt", size: 7 });
  });

  test("fields that only requests have are not shown, and a removed record says so", async () => {
    const ask = apart(served);
    const made = await ask("POST /cards", { body: { number: "4242", cvc: "123", owner: "Ada" } });
    const { id } = made.body as { id: string };
    expect(made.body).toEqual({ id, object: "card", owner: "Ada" });
    expect((await ask(`DELETE /cards/${id}`)).body).toEqual({ id, object: "card", deleted: true });
  });

  test("an object that fits a part of its field is put there", async () => {
    const made = await apart(served)("POST /reports", { body: { owner: { id: "7", kind: "user" } } });
    expect(made.body).toMatchObject({ owner: { owner: { id: "7", kind: "user" } } });
  });

  test("the only id that the server sets names a record, before its name", async () => {
    const [first] = (await served.ask("GET /tariffs")).body as { FolderId: string }[];
    expect((await served.ask(`GET /tariffs/${first!.FolderId}`)).body).toEqual(first);
  });
});
