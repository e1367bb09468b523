import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const sends = (schema: JsonObject): JsonObject => ({ 200: { description: "", ...json(schema) } });

const tag = { $ref: "#/components/schemas/Tag" };
const kettle = object({
  id: number,
  label: text,
  level: number,
  serial: text,
  price: object({ code: { ...text, enum: ["GBP", "EUR"] }, description: text }),
  tags: list(tag),
  box: object({ size: number, since: text, sealed: { ...flag, readOnly: true } }),
});
const sent = object({ label: flag, level: flag, price: text, tags: list(number), box: object({ size: number }) });
const settings = object({ label: flag, box: object({ size: number }) });
const mugFields = { owner: object({ id: number, name: text }), colors: text, sizes: list(text) };
const mug = object({ id: number, ...mugFields });
const flatMug = object({ id: number, owner: number, colors: list(text), sizes: text });

const lid = (top: JsonObject): JsonObject => object({ top: object({ id: text, ...top }) });
const pot = object({ id: number, lid: { allOf: [{ anyOf: [lid({ state: text }), lid({})] }] } });

const pan = object({ id: number, name: text, sizes: list(text), color: text });
const panForm = object({ "pan[name]": text, "sizes[]": list(text), note: text }, []);

const items = (name: string, record: JsonObject, body: JsonObject, shown = record): JsonObject => ({
  [`/${name}`]: { get: { responses: sends(list(record)) }, post: { requestBody: json(body), responses: sends(shown) } },
  [`/${name}/{id}`]: {
    parameters: [{ name: "id", in: "path", required: true, schema: number }],
    get: { responses: sends(record) },
    patch: { requestBody: json({ ...body, required: [] }), responses: sends(record) },
    put: { requestBody: json(settings), responses: sends(record) },
  },
});

let ask: Served["ask"];
beforeAll(async () => {
  const served = await serve({
    openapi: "3.0.3",
    info: { title: "Kettles", version: "1" },
    paths: {
      ...items("tags", tag, object({ name: text })),
      ...items("kettles", kettle, sent),
      ...items("pots", pot, object({ lid: object({ top: text }) })),
      ...items("pans", pan, panForm),
      ...items("mugs", mug, object(mugFields), flatMug),
    },
    components: { schemas: { Tag: object({ tagId: number, name: text }) } },
  });
  ask = apart(served);
});

const made = async (line: string, body: JsonObject): Promise<JsonObject> =>
  (await ask(line, { body })).body as JsonObject;

test("flags become the texts or numbers, a code or an id the object, that records have", async () => {
  const { tagId = null } = await made("POST /tags", { name: "hot" });
  const body = { label: true, level: false, price: "EUR", tags: [tagId], box: { size: 3 } };
  const kettle = await made("POST /kettles", body);
  expect(kettle).toMatchObject({
    label: "true",
    level: 0,
    price: { code: "EUR" },
    tags: [{ tagId, name: "hot" }],
    box: { size: 3, since: expect.any(String), sealed: expect.any(Boolean) },
  });
});

test.each(["PATCH", "PUT"])(
  "%s leaves what its request cannot have, also in an object of the record",
  async (method) => {
    const body = { label: true, level: true, price: "GBP", tags: [], box: { size: 3 } };
    const kettle = await made("POST /kettles", body);
    const changed = await made(`${method} /kettles/${kettle.id}`, { label: false, box: { size: 4 } });
    expect(changed).toEqual({ ...kettle, label: "false", box: { ...(kettle.box as JsonObject), size: 4 } });
  },
);

test("a response shows an object as its id, and texts in a list or with commas", async () => {
  const mug = { owner: { id: 7, name: "Ada" }, colors: "red, blue", sizes: ["S", "M"] };
  const { id, ...shown } = await made("POST /mugs", mug);
  expect(shown).toEqual({ owner: 7, colors: ["red", "blue"], sizes: "S, M" });
  expect((await ask(`GET /mugs/${id}`)).body).toEqual({ id, ...mug });
});

test("names in brackets are those of fields, and a replacement leaves what only a new record may be sent with", async () => {
  const pan = await made("POST /pans", { "pan[name]": "Wok", "sizes[]": ["L"], note: "New" });
  expect(pan).toMatchObject({ name: "Wok", sizes: ["L"] });
  expect(Object.keys(pan)).not.toContain("pan[name]");
  await ask(`PUT /pans/${pan.id}`, { body: { label: true, box: { size: 3 } } });
  const headers = { "x-standin-routes": "own" };
  expect((await ask(`GET /pans/${pan.id}`, { headers })).body).toMatchObject({ note: "New" });
});

test("a text stands for an object in the only part of a schema, too", async () => {
  const { body } = await ask("POST /pots", { body: { lid: { top: "x1" } } });
  expect(body).toMatchObject({ lid: { top: { id: "x1" } } });
});
