import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";

const DATA = {
  products: [
    { id: 1, name: "Hat", price: 9.5, note: null, colour: "#ff0000", made_on: "2026-01-31", maker_id: 1 },
    { id: 2, name: "Cap", price: 12, note: "x", colour: "#0f0", made_on: "2026-02-01", maker_id: 2 },
  ],
  makers: [
    { id: 1, name: "Ada", email: "ada@example.com" },
    { id: 2, name: "Bob", email: "bob@example.com" },
  ],
  visits: [],
  profile: { theme: "dark" },
};
const RULES = {
  makers: {
    required: ["name", "email"],
    properties: {
      name: { type: "string", minLength: 2 },
      email: { type: "string", format: "email" },
      rank: { type: ["integer", "null"], minimum: 1, maximum: 3 },
      kind: { enum: ["person", "firm"] },
      ref: { type: "string", pattern: "^[A-Z]{3}$" },
    },
    "x-unique": ["email"],
  },
};

const BOXED = {
  things: [
    { id: 1, size: 5, box_id: 1 },
    { id: 2, size: 7, box_id: 2 },
  ],
  boxes: [{ id: 1 }, { id: 2 }],
};

let api: Standin<JsonObject>;
beforeAll(async () => {
  api = await createStandin<JsonObject>({ data: DATA, rules: RULES });
});
afterAll(() => api.close());
const draft = (collection: string, body: unknown) =>
  askAt(api.url, `POST /__collections/${collection}/draft`, { body });

test("a draft has the fields given, and the others made up like those of the records; nothing is stored", async () => {
  const before = (await askAt(api.url, "GET /db")).text;
  for (let time = 0; time < 10; time++) {
    const { status, body } = await draft("products", { name: "Mine", price: "unusual" });
    expect(status).toBe(200);
    expect(body).toEqual({
      name: "Mine",
      price: "unusual",
      note: expect.any(String),
      colour: expect.stringMatching(/^#[\da-f]{6}$/),
      made_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      maker_id: expect.toBeOneOf([1, 2]),
    });
  }
  expect((await askAt(api.url, "GET /db")).text).toBe(before);
});

test("a draft keeps the rules, has every field that they know, and may be of a record that exists", async () => {
  const { body } = await draft("makers", { email: "ada@example.com", kind: "firm" });
  expect(body).toEqual({
    name: expect.stringMatching(/../),
    email: "ada@example.com",
    rank: expect.toBeOneOf([1, 2, 3]),
    kind: "firm",
    ref: expect.stringMatching(/^[A-Z]{3}$/),
  });
  expect((await draft("makers", { kind: "neither", id: 7 })).body).toMatchObject({ kind: "neither", id: 7 });
});

test("a draft follows the data: a field that came to the records comes to it, too, in a sandbox alone if it did there", async () => {
  const path = new URL(api.sandbox().url).pathname;
  await askAt(api.url, `POST ${path}/products`, { body: { ...DATA.products[0], id: 3, weight: 5 } });
  const inSandbox = await askAt(api.url, `POST ${path}/__collections/products/draft`, { body: {} });
  expect(inSandbox.body).toMatchObject({ weight: expect.any(Number) });
  expect((await draft("products", {})).body).not.toHaveProperty("weight");
});

test("drafts do not change what a program makes, which may refer to records that others refer to", async () => {
  const made = async (drafts: number): Promise<unknown> => {
    await using own = await createStandin({ data: BOXED, seed: 5 });
    for (let time = 0; time < drafts; time++) await askAt(own.url, "POST /__collections/things/draft", { body: {} });
    return own.db.things.make();
  };
  const first = await made(2);
  expect(first).toMatchObject({ id: 3, box_id: expect.toBeOneOf([1, 2]) });
  expect(await made(0)).toEqual(first);
});

test("of a collection without records and rules nothing is made up; other names and bodies are refused", async () => {
  expect((await draft("visits", { page: 1 })).body).toEqual({ page: 1 });
  expect(codeOf(await draft("profile", {}))).toBe("COLLECTION_NOT_FOUND");
  expect(codeOf(await draft("nothing", {}))).toBe("COLLECTION_NOT_FOUND");
  expect(codeOf(await draft("products", []))).toBe("BODY_NOT_OBJECT");
});
