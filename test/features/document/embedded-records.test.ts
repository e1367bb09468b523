import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ "200": { description: "", ...json(schema) } });
const text: JsonObject = { type: "string" };
const list = (schema: JsonObject): JsonObject => ({ type: "array", items: schema });
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});

const collection = (name: string, record: JsonObject, sent: JsonObject): JsonObject => ({
  [`/${name}`]: {
    get: {
      parameters: [{ name: "subscription", in: "query", schema: text }],
      responses: sends(list(record)),
    },
    post: { operationId: `create_${name}`, requestBody: json(sent), responses: sends(record) },
  },
  [`/${name}/{id}`]: {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    get: { responses: sends(record) },
    patch: { requestBody: json({ ...sent, required: [] }), responses: sends(record) },
    delete: { responses: { "204": { description: "" } } },
  },
});

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Subscriptions", version: "1" },
  paths: {
    ...collection(
      "subscriptions",
      ref("Subscription"),
      object({ name: text, items: list(object({ price: text })) }, []),
    ),
    ...collection("subscription_items", ref("Item"), object({ subscription: text, price: text }, [])),
    ...collection("notes", ref("Note"), object({ subscription_item: text, text }, [])),
  },
  components: {
    schemas: {
      Subscription: object({
        id: text,
        name: text,
        items: object({ object: { ...text, enum: ["list"] }, data: list(ref("Item")), has_more: { type: "boolean" } }),
      }),
      Item: object({ id: text, subscription: text, price: text, notes: list(ref("Note")) }),
      Note: object({ id: text, subscription_item: text, text }),
    },
  },
};

interface Item extends JsonObject {
  id: string;
  subscription: string;
}
interface Subscription extends JsonObject {
  id: string;
  items: { data: Item[]; has_more: boolean };
}

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

const twoItems = { body: { name: "A", items: [{ price: "p1" }, { price: "p1" }] } };

test("records in the list of a new record are records of their own", async () => {
  const ask = apart(served);
  const made = (await ask("POST /subscriptions", twoItems)).body as Subscription;
  const items = made.items.data;
  expect(new Set(items.map(({ id }) => id)).size).toBe(2);
  expect(items.map(({ subscription }) => subscription)).toEqual([made.id, made.id]);
  const listed = (await ask(`GET /subscription_items?subscription=${made.id}`)).body as Item[];
  expect(listed.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
});

test("a record that is created, changed or removed is so in the list that it is in", async () => {
  const ask = apart(served);
  const { id, items } = (await ask("POST /subscriptions", twoItems)).body as Subscription;
  const read = async () => ((await ask(`GET /subscriptions/${id}`)).body as Subscription).items;
  const third = (await ask("POST /subscription_items", { body: { subscription: id, price: "p3" } })).body as Item;
  expect((await read()).data.at(-1)).toMatchObject({ id: third.id, price: "p3" });
  await ask(`PATCH /subscription_items/${third.id}`, { body: { price: "p4" } });
  await ask(`DELETE /subscription_items/${items.data[0]!.id}`);
  expect(await read()).toMatchObject({
    object: "list",
    data: [{ id: items.data[1]!.id }, { id: third.id, price: "p4" }],
    has_more: false,
  });
});

test("a record two levels deep is in the lists of both", async () => {
  const ask = apart(served);
  const { id, items } = (await ask("POST /subscriptions", twoItems)).body as Subscription;
  const [item] = items.data;
  await ask(`PATCH /subscription_items/${item!.id}`, { body: { price: "p2" } });
  const { body: note } = await ask("POST /notes", { body: { subscription_item: item!.id, text: "Late" } });
  expect((await ask(`GET /subscription_items/${item!.id}`)).body).toMatchObject({ notes: [note] });
  expect((await ask(`GET /subscriptions/${id}`)).body).toMatchObject({ items: { data: [{ notes: [note] }, {}] } });
});

test("a list that is sent again takes the place of its records", async () => {
  const ask = apart(served);
  const { id } = (await ask("POST /subscriptions", twoItems)).body as Subscription;
  await ask(`PATCH /subscriptions/${id}`, { body: { name: "B" } });
  expect((await ask(`GET /subscription_items?subscription=${id}`)).body).toHaveLength(2);
  await ask(`PATCH /subscriptions/${id}`, { body: { items: [{ price: "p9" }] } });
  expect((await ask(`GET /subscription_items?subscription=${id}`)).body).toMatchObject([{ price: "p9" }]);
});

test("a dry run changes nothing of this", async () => {
  const ask = apart(served);
  const count = async () => ((await ask("GET /subscription_items")).body as Item[]).length;
  const before = await count();
  await ask("POST /subscriptions", { ...twoItems, headers: { prefer: "tx=rollback" } });
  expect(await count()).toBe(before);
});

test("generated records are in the lists of those that they belong to", async () => {
  const { body } = await served.ask("GET /subscription_items");
  for (const { id, subscription } of body as Item[]) {
    const { items } = (await served.ask(`GET /subscriptions/${subscription}`)).body as Subscription;
    expect(items.data.map((one) => one.id)).toContain(id);
  }
});
