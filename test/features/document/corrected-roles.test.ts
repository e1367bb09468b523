import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const whole: JsonObject = { type: "integer" };
const flag: JsonObject = { type: "boolean" };
const json = (schema: JsonObject): JsonObject => ({
  description: "",
  content: { "application/json": { schema } },
});
const query = (name: string, schema: JsonObject = text): JsonObject => ({ name, in: "query", schema });

const book: JsonObject = {
  type: "object",
  properties: {
    id: whole,
    headline: text,
    price: whole,
    withdrawn: { ...text, format: "date-time", nullable: true },
    author: { type: "object", properties: { surname: text } },
  },
};
const page: JsonObject = {
  type: "object",
  properties: {
    books: { type: "array", items: book },
    about: { type: "object", properties: { hits: whole, total: whole } },
  },
};
const parameters = [
  query("zz", whole),
  query("yy", whole),
  query("words"),
  query("by"),
  query("upTo", whole),
  query("gone", flag),
  query("price", whole),
];
const document: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Books", version: "1" },
  paths: {
    "/books": {
      get: { parameters, responses: { 200: json(page) } },
      post: { requestBody: json(book), responses: { 201: json(book) } },
    },
    "/books/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: whole }],
      get: { responses: { 200: json(book) } },
    },
  },
};
const bind: JsonObject = {
  books: {
    query: {
      zz: "pageIndex",
      yy: "limit",
      words: "filter headline contains",
      by: "filter author.surname",
      upTo: "filter price lte",
      gone: { true: "withdrawn null false", "": "withdrawn null true" },
      price: false,
    },
    fields: { "about.hits": "total", "about.total": "count" },
  },
};
const books: Json[] = [
  { id: 1, headline: "A long way", price: 5, withdrawn: null, author: { surname: "Ada" } },
  { id: 2, headline: "A short way", price: 15, withdrawn: null, author: { surname: "Bo" } },
  { id: 3, headline: "The long road", price: 25, withdrawn: null, author: { surname: "Ada" } },
  { id: 4, headline: "Home", price: 35, withdrawn: "2026-01-01T00:00:00Z", author: { surname: "Cy" } },
];
const examples = (of: JsonObject): JsonObject => {
  const root = structuredClone(of) as unknown as {
    paths: { "/books": { get: { responses: { 200: { content: { "application/json": JsonObject } } } } } };
  };
  root.paths["/books"].get.responses[200].content["application/json"].example = {
    books,
    about: { hits: 4, total: 4 },
  };
  return root as unknown as JsonObject;
};

describe("the config says what parameters and fields of a list mean", () => {
  const cases: [string, number[]][] = [
    ["", [1, 2, 3]],
    ["?yy=2&zz=1", [3]],
    ["?words=long", [1, 3]],
    ["?by=Ada&upTo=20", [1]],
    ["?gone=true", [4]],
    ["?price=15", [1, 2, 3]],
  ];
  for (const [search, ids] of cases) {
    test(`GET /books${search}`, async () => {
      const { ask, warnings } = await serve(examples(document), { bind });
      const { status, body } = await ask(`GET /books${search}`);
      const sent = body as { books: { id: number }[]; about: { hits: number; total: number } };
      expect([status, warnings]).toEqual([200, []]);
      expect(sent.books.map(({ id }) => id)).toEqual(ids);
      expect(sent.about).toEqual({ hits: search.includes("yy=2") ? 3 : ids.length, total: ids.length });
    });
  }

  test("and nothing else changes: without it, names that say nothing filter nothing", async () => {
    const { ask } = await serve(examples(document));
    const { body } = await ask("GET /books?words=long&price=15");
    expect((body as { books: Json[] }).books).toHaveLength(1);
  });
});

describe("is refused in bind", () => {
  const mistakes: [string, JsonObject, RegExp][] = [
    [
      "a parameter that no list has",
      { query: { word: false } },
      /books\.query\.word: no list .* Did you mean "words"\?/,
    ],
    [
      "an unknown role",
      { query: { zz: "pages" } },
      /books\.query\.zz: must be "filter price gte": .* Did you mean "page"\?/,
    ],
    ["a number", { query: { zz: 1 } }, /books\.query\.zz: must be "filter price gte"/],
    ["a role with a field", { query: { zz: "limit price" } }, /books\.query\.zz: "limit" has nothing behind it\./],
    ["a list", { query: ["zz"] }, /books\.query: must be an object, by name\./],
    [
      "an unknown field",
      { query: { words: "filter headlin contains" } },
      /books\.query\.words: its records have no property "headlin"\. Did you mean "headline"\?/,
    ],
    [
      "an unknown field of an object",
      { query: { by: "filter author.name" } },
      /books\.query\.by: its records have no property "author\.name"\./,
    ],
    [
      "a filter without a field of that name",
      { query: { words: "filter" } },
      /books\.query\.words: its records have no property "words"\./,
    ],
    [
      "a value without a condition",
      { query: { gone: { true: "withdrawn" } } },
      /books\.query\.gone: "true" must be a field, an operator \(gt, .*\) and a value, such as "status eq open"\./,
    ],
    [
      "an unknown role of a field",
      { fields: { "about.hits": "totals" } },
      /fields\.about\.hits: .* Did you mean "total"\?/,
    ],
    [
      "a field that no response has",
      { fields: { "about.hit": "total" } },
      /books\.fields\.about\.hit: no list .* Did you mean "hits"\?/,
    ],
  ];
  for (const [title, books, message] of mistakes) {
    test(title, async () => {
      await expect(serve(document, { bind: { books } })).rejects.toThrow(message);
    });
  }
});
