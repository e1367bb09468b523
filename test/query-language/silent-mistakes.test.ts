import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Reporter } from "../../src/base/reporter.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt, codeOf } from "../support/api.ts";
import { serveStore } from "../support/serve-store.ts";

const data = () => ({
  products: [
    { id: 1, name: "Hat", price: 5, code: "in:1", category: { title: "Wear" }, companyId: 1, tagIds: [1] },
    { id: 2, name: "Cup", price: 7, code: "b", category: { title: "Kitchen" }, companyId: 1, tagIds: [] },
  ],
  companies: [{ id: 1, name: "Ann" }],
  tags: [{ id: 1 }],
  reviews: [{ id: 1, productId: 1 }],
  profile: { name: "Ada" },
});

async function serve() {
  const notes: string[] = [];
  const reporter: Reporter = { note: (text) => notes.push(text), done() {}, warn() {}, fault() {}, request() {} };
  const { url } = await serveStore(new MemoryStore(State.load(data() as JsonObject, "id")), {}, { reporter });
  const ask = (line: string, headers: Record<string, string> = {}, body?: unknown) =>
    askAt(url, line, { headers, body });
  return { notes, ask };
}

interface Case {
  readonly line: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly status?: number;
  readonly said: string;
}

const SAID: readonly Case[] = [
  {
    line: "GET /products?category.name=ZZZ",
    said: "category.name: no record of products has such a field, so it was ignored.",
  },
  { line: "GET /products?category.titel=Wear", said: 'Did you mean "category.title"?' },
  { line: "GET /products?company.name=ZZZ", said: "company.name: no record of products has such a field" },
  { line: "GET /products?price=gt:3", said: 'price=gt:3: an operator belongs to the name. Did you mean "price:gt=3"?' },
  { line: "GET /products?price=!in:3&_expand=company", said: 'Did you mean "price:!in=3"?' },
  { line: "GET /products?price:gt=cheap", said: 'price:gt=cheap: price is a number, so nothing matches "cheap".' },
  { line: "GET /products?price_gte=cheap&_fields=id", said: "price:gte=cheap: price is a number" },
  {
    line: "GET /products?_expand=companies",
    said: '_expand=companies: products has no relation "companies". Did you mean "company"?',
  },
  { line: "GET /products?_embed=companies", said: 'Did you mean "company"?' },
  { line: "GET /products/1?_embed=companies", said: 'Did you mean "company"?' },
  { line: "GET /products?_page=0", said: "_page=0: pages are counted from 1, so this is the first one." },
  { line: "GET /products?_page=-2&_fields=id", said: "_page=-2" },
  { line: "PUT /products/1", said: "PUT without a body: a record is replaced by what is sent, so no field is left." },
  { line: "PUT /profile", said: "PUT without a body" },
  { line: "PUT /products/1", body: { id: 9 }, said: "id: the id of a record cannot be changed, so 9 was ignored." },
  {
    line: "PATCH /products/1",
    body: { id: "9" },
    said: 'id: the id of a record cannot be changed, so "9" was ignored.',
  },
  {
    line: "GET /products",
    headers: { Accept: "application/xml" },
    status: 406,
    said: "Accept: application/xml: responses are JSON.",
  },
  { line: "GET /profile", headers: { Accept: "text/html, text/*" }, status: 406, said: "Accept: text/html, text/*" },
  { line: "POST /products", headers: { Accept: "text/csv" }, body: {}, status: 406, said: "Accept: text/csv" },
];

describe("a request that does something else than it seems to say", () => {
  for (const { line, headers = {}, body, status = 400, said } of SAID) {
    test(`${line} ${JSON.stringify(headers)}: responds as 0.17, with ${said}`, async () => {
      const { notes, ask } = await serve();
      const answer = await ask(line, headers, body);
      expect(answer.status).toBe(line.startsWith("POST") ? 201 : 200);
      const warning = answer.headers.get("warning") ?? "";
      expect(decodeURIComponent(warning)).toContain(said);
      expect(notes.join("\n")).toContain(said);
      await ask(line, headers, body);
      expect(notes).toHaveLength(1);
    });

    test(`${line} ${JSON.stringify(headers)} with Prefer: handling=strict: ${status}, and nothing changes`, async () => {
      const { ask } = await serve();
      const answer = await ask(line, { ...headers, Prefer: "handling=strict" }, body);
      expect([answer.status, answer.body]).toMatchObject([status, { code: expect.any(String) }]);
      // The store refuses unknown fields in its own words.
      const isField = codeOf(answer) === "QUERY_FIELD_UNKNOWN";
      expect((answer.body as { message: string }).message).toContain(isField ? "No record of products has" : said);
      expect((await ask("GET /db")).body).toEqual(data());
    });
  }
});

const FINE: readonly Omit<Case, "said">[] = [
  { line: "GET /products?category.title=ZZZ" },
  { line: "GET /products?code=in:1" },
  { line: "GET /products?name:gt=zebra" },
  { line: "GET /products?price:gt=1000" },
  { line: "GET /products?price:!gt=cheap" },
  { line: "GET /products?name=http://x" },
  { line: "GET /products?_expand=company&_embed=reviews" },
  { line: "GET /products?_embed=company&_expand=tags" },
  { line: "GET /companies?_embed=products&_page=1" },
  { line: "GET /products?_page=" },
  { line: "PUT /products/1", body: {} },
  { line: "PUT /products/1", body: { id: "1" } },
  { line: "PATCH /products/1", body: { id: null } },
  ...["*/*", "application/json", "text/html,*/*;q=0.8", "application/vnd.api+json", "application/*"].map((Accept) => ({
    line: "GET /products",
    headers: { Accept },
  })),
  { line: "GET /products?callback=f", headers: { Accept: "text/javascript" } },
];

for (const { line, headers = {}, body } of FINE) {
  test(`${line} ${JSON.stringify(headers)} ${JSON.stringify(body)}: nothing is said, and strict handling allows it`, async () => {
    const { notes, ask } = await serve();
    const answer = await ask(line, headers, body);
    expect([answer.status, answer.headers.get("warning"), notes]).toEqual([200, null, []]);
    expect((await ask(line, { ...headers, Prefer: "handling=strict" }, body)).status).toBe(200);
  });
}
