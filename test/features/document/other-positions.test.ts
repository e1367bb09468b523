import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const number: JsonObject = { type: "integer" };
const time: JsonObject = { ...text, format: "date-time" };
const json = (schema: JsonObject, example?: Json): JsonObject => ({
  description: "",
  content: { "application/json": { schema, ...(example !== undefined && { example }) } },
});
const query = (name: string, schema: JsonObject, description = ""): JsonObject => ({
  ...{ name, in: "query", schema, description },
});

const code: JsonObject = {
  type: "object",
  properties: {
    id: number,
    name: text,
    updated: time,
    log: { type: "object", properties: { touched: time } },
    state: { ...text, enum: ["active", "inactive"] },
  },
};
const codes = [1, 2, 3, 4, 5].map((id) => ({
  id,
  name: `Code ${id}`,
  updated: `2026-01-0${id}T00:00:00Z`,
  log: { touched: `2026-02-0${id}T00:00:00Z` },
  state: "active",
}));
const document: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Codes", version: "1" },
  paths: {
    "/codes": {
      get: {
        parameters: [
          query("limit", number),
          query("after", number),
          query("id", { type: "array", items: { ...text, pattern: "^((gte?|lte?|eq|ne)\\:)?\\d{1,10}$" } }),
          query("name", text, "The name, such as `gt:5`."),
          query("state", text),
          query("mode", text, "The state, also as `ne:active`."),
          query("unpaged", { type: "boolean" }),
          query("pageable.unpaged", { type: "boolean" }),
          query("touched", number),
          query("since", number, "Unix epoch time stamp: only codes that have been updated since then."),
        ],
        responses: {
          200: json(
            {
              type: "object",
              properties: {
                codes: { type: "array", items: code },
                pages: { type: "object", properties: { next: { type: ["integer", "null"] } } },
              },
            },
            { codes, pages: { next: null } },
          ),
        },
      },
    },
    "/codes/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: number }],
      get: { responses: { 200: json(code) } },
      delete: { summary: "Deactivate a code", responses: { 200: json(code) } },
    },
  },
};

interface Page {
  readonly codes: { readonly id: number; readonly state: string }[];
  readonly pages: { readonly next: number | null };
}

test("the id of the last record leads on, and the list ends", async () => {
  const { ask } = await serve(document);
  const ids: number[][] = [];
  for (let next: number | null | undefined = undefined, i = 0; next !== null && i < 9; i += 1) {
    const { status, body } = await ask(`GET /codes?limit=2${next === undefined ? "" : `&after=${next}`}`);
    expect(status).toBe(200);
    const page = body as unknown as Page;
    ids.push(page.codes.map(({ id }) => id));
    next = page.pages.next ?? null;
  }
  expect(ids).toEqual([[1, 2], [3, 4], [5], []]);
});

test("values may have an operator in front, where the document says so", async () => {
  const { ask } = await serve(document);
  const idsOf = async (search: string): Promise<number[]> => {
    const { body } = await ask(`GET /codes?${search}`);
    return (body as unknown as Page).codes.map(({ id }) => id);
  };
  expect(await idsOf("id=gte:2&id=lt:4")).toEqual([2, 3]);
  expect(await idsOf("id=ne:2")).toEqual([1, 3, 4, 5]);
  expect(await idsOf("id=ne:2&id=ne:3")).toEqual([1, 4, 5]);
  expect(await idsOf("id=eq:2")).toEqual([2]);
  expect(await idsOf("id=2")).toEqual([2]);
  expect(await idsOf("name=gt:Code 4")).toEqual([5]);
  expect(await idsOf("state=ne:inactive")).toEqual([]);
});

test("a list is sent whole, if its pages are turned off", async () => {
  const { ask } = await serve(document);
  const idsOf = async (search: string): Promise<number[]> => {
    const { body } = await ask(`GET /codes?${search}`);
    return (body as unknown as Page).codes.map(({ id }) => id);
  };
  expect(await idsOf("limit=2&after=1&unpaged=true")).toEqual([1, 2, 3, 4, 5]);
  expect(await idsOf("limit=2&after=1&unpaged=false")).toEqual([2, 3]);
  expect(await idsOf("limit=2&after=1&pageable.unpaged=true")).toEqual([1, 2, 3, 4, 5]);
  expect(await idsOf("limit=2&after=1&pageable.unpaged=false")).toEqual([2, 3]);
});

test("seconds and milliseconds are compared with times", async () => {
  const { ask } = await serve(document);
  const since = Date.UTC(2026, 0, 4);
  for (const moment of [since, since / 1000]) {
    const { body } = await ask(`GET /codes?since=${moment}`);
    expect((body as unknown as Page).codes.map(({ id }) => id)).toEqual([4, 5]);
  }
});

test("seconds are compared with times inside of records, and words in other letters behind an operator", async () => {
  const query = { touched: "filter log.touched gte", mode: "filter state" };
  const { ask } = await serve(document, { bind: { codes: { query } } });
  const idsOf = async (search: string): Promise<number[]> => {
    const { body } = await ask(`GET /codes?${search}`);
    return (body as unknown as Page).codes.map(({ id }) => id);
  };
  expect(await idsOf(`touched=${Date.UTC(2026, 1, 4) / 1000}`)).toEqual([4, 5]);
  expect(await idsOf("mode=ne:ACTIVE")).toEqual([]);
  expect(await idsOf("mode=ne:INACTIVE")).toEqual([1, 2, 3, 4, 5]);
});

test("a DELETE that deactivates keeps the record, which is inactive", async () => {
  const { ask } = await serve(document);
  expect((await ask("DELETE /codes/2")).body).toMatchObject({ id: 2, state: "inactive" });
  expect((await ask("GET /codes/2")).body).toMatchObject({ id: 2, state: "inactive" });
});

test("a page has no more records than a list may have, whatever is asked for", async () => {
  const memo = { type: "object", properties: { title: text } };
  const note: JsonObject = {
    type: "object",
    required: ["memo"],
    properties: { id: number, kind: { ...text, enum: ["list", "memo"] }, memo },
  };
  const notes = { type: "array", maxItems: 3, items: note };
  const parameters = ["after", "limit"].map((name) => ({ name, in: "query", schema: number }));
  const item = {
    parameters: [{ name: "id", in: "path", required: true, schema: number }],
    responses: { 200: json(note) },
  };
  const paths = {
    "/notes": { get: { parameters: parameters.slice(0, 1), responses: { 200: json(notes) } } },
    "/sized": { get: { parameters, responses: { 200: json(notes) } } },
    "/notes/{id}": { get: item },
    "/sized/{id}": { get: item },
  };
  const { ask } = await serve({ openapi: "3.1.0", info: { title: "Notes", version: "1" }, paths });
  for (const line of ["GET /notes", "GET /sized", "GET /sized?limit=50"]) {
    const { status, body } = await ask(line);
    expect([status, (body as unknown[]).length]).toEqual([200, 3]);
    // Records have the part that they must have, and are of its kind.
    for (const one of body as unknown as JsonObject[]) expect(one).toMatchObject({ kind: "memo", memo: {} });
  }
});
