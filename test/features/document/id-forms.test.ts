import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createDatabase } from "../../postgres/database.ts";
import { ref, response } from "./documents.ts";
import { type Served, serve } from "./serve.ts";

const document = (id: JsonObject): JsonObject => ({
  openapi: "3.0.3",
  info: { title: "Payments", version: "1" },
  paths: {
    "/customers": {
      get: { responses: { 200: response({ type: "array", items: ref("Customer") }) } },
      post: {
        requestBody: { content: { "application/json": { schema: ref("Customer") } } },
        responses: { 200: response(ref("Customer")) },
      },
    },
    "/customers/{customer}": {
      get: {
        parameters: [{ name: "customer", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: response(ref("Customer")) },
      },
    },
  },
  components: { schemas: { Customer: { type: "object", properties: { id, name: { type: "string" } } } } },
});
const bind = { customers: { id: "cus_{random:14}" } };
const FORM = /^cus_[A-Za-z\d]{14}$/;

interface Customer {
  readonly id: string;
  readonly name: string;
}

async function idsOf({ ask }: Served): Promise<{ first: string[]; made: string[] }> {
  const listed = (await ask("GET /customers")).body as Customer[];
  const made: string[] = [];
  for (const name of ["Ada", "Bob"]) {
    const { id } = (await ask("POST /customers", { body: { name } })).body as Customer;
    made.push(id);
    expect((await ask(`GET /customers/${id}`)).body).toMatchObject({ id, name });
  }
  return { first: listed.map(({ id }) => id), made };
}

describe("the form of ids", () => {
  test("bind gives it, to the first records and to new ones", async () => {
    const { first, made } = await idsOf(await serve(document({ type: "string" }), { bind }));
    expect(first.length).toBeGreaterThan(3);
    for (const id of [...first, ...made]) expect(id).toMatch(FORM);
    expect(new Set([...first, ...made]).size).toBe(first.length + made.length);
  });

  test("bind gives it on PostgreSQL", async () => {
    const { first, made } = await idsOf(
      await serve(document({ type: "string" }), { bind, data: await createDatabase() }),
    );
    for (const id of [...first, ...made]) expect(id).toMatch(FORM);
  });

  test("an example gives it", async () => {
    const { first, made } = await idsOf(await serve(document({ type: "string", example: "cus_NffrFeUfNV2Hib" })));
    for (const id of [...first, ...made]) expect(id).toMatch(FORM);
  });

  test("words with a dash between them give none", async () => {
    const { made } = await idsOf(await serve(document({ type: "string", example: "first-customer" })));
    for (const id of made) expect(id).not.toContain("first-");
  });

  test("an id that is sent is kept", async () => {
    const { ask } = await serve(document({ type: "string" }), { bind });
    expect((await ask("POST /customers", { body: { id: "mine", name: "Ada" } })).body).toMatchObject({ id: "mine" });
  });

  const mistakes = [
    ["cus_{random}", { type: "string" }, /bind\.customers\.id: "cus_\{random\}" is not a form of ids/],
    ["cus/{random:14}", { type: "string" }, /is not a form of ids/],
    ["{random:1}", { type: "string" }, /is not a form of ids/],
    ["cus_{random:14}", { type: "integer" }, /bind\.customers\.id: its ids are of the type integer, but .* is a text/],
  ] as const;
  for (const [id, schema, message] of mistakes) {
    test(`${id} for ids of the type ${schema.type} is refused`, async () => {
      await expect(serve(document(schema), { bind: { customers: { id } } })).rejects.toThrow(message);
    });
  }
});
