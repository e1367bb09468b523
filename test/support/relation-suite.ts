import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { type Answer, type AskOptions, codeOf, idsOf } from "./api.ts";
import { lineOf, naiveChildren, naiveResponse, relatedData, relationQuery } from "./naive-relations.ts";

type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

/** Countries have companies, companies products, products reviews and, by lists of ids, tags. */
export function shopData(): JsonObject {
  return {
    countries: [
      { id: 1, name: "Italy" },
      { id: 2, name: "Peru" },
    ],
    companies: [
      { id: 1, name: "Acme", country_id: 1 },
      { id: 2, name: "Bolt", country_id: null },
    ],
    products: [
      { id: 1, company_id: 1, tag_ids: [3, 1, 9] },
      { id: 2, company_id: 1, tag_ids: ["1"], tag_id: 2 },
      { id: 3, company_id: 2, tag_ids: [] },
      { id: 4, company_id: 7, tag_id: 1 },
      { id: 5, tag_ids: [1, 1], tag_id: 1 },
    ],
    tags: [
      { id: 1, name: "new" },
      { id: 2, name: "old" },
      { id: 3, name: "odd" },
    ],
    reviews: [
      { id: 1, product_id: 1, stars: 5 },
      { id: 2, product_id: 1, stars: 1 },
      { id: 3, product_id: 4, stars: 3 },
    ],
    labels: [],
    profile: { name: "shop" },
  };
}

const [ITALY] = [{ id: 1, name: "Italy" }];
const ACME = { id: 1, name: "Acme", country_id: 1 };
const BOLT = { id: 2, name: "Bolt", country_id: null };
const [NEW, OLD, ODD] = [
  { id: 1, name: "new" },
  { id: 2, name: "old" },
  { id: 3, name: "odd" },
];
const PRODUCTS = shopData().products as JsonObject[];
const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = PRODUCTS as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];
const REVIEWS = shopData().reviews as JsonObject[];

const records: [path: string, body: unknown][] = [
  // Several levels.
  [
    "/companies/1?_embed=products.reviews",
    {
      ...ACME,
      products: [
        { ...FIRST, reviews: [REVIEWS[0], REVIEWS[1]] },
        { ...SECOND, reviews: [] },
      ],
    },
  ],
  ["/products/1?_expand=company.country", { ...FIRST, company: { ...ACME, country: ITALY } }],
  ["/products/3?_expand=company.country", { ...THIRD, company: BOLT }],
  ["/reviews/3?_expand=product.company.country", { ...REVIEWS[2], product: FOURTH }],
  [
    "/reviews/1?_expand=product.company.country&_expand=product.tags",
    {
      ...REVIEWS[0],
      product: { ...FIRST, company: { ...ACME, country: ITALY }, tags: [ODD, NEW] },
    },
  ],
  [
    "/countries/1?_embed=companies.products.reviews",
    {
      ...ITALY,
      companies: [
        {
          ...ACME,
          products: [
            { ...FIRST, reviews: [REVIEWS[0], REVIEWS[1]] },
            { ...SECOND, reviews: [] },
          ],
        },
      ],
    },
  ],
  // Both directions in one path: each further name leads wherever the keys do.
  ["/tags/3?_embed=products.company", { ...ODD, products: [{ ...FIRST, company: ACME }] }],
  [
    "/companies/1?_embed=products.tags",
    {
      ...ACME,
      products: [
        { ...FIRST, tags: [ODD, NEW] },
        { ...SECOND, tags: [NEW] },
      ],
    },
  ],
  ["/reviews/1?_expand=product.reviews", { ...REVIEWS[0], product: { ...FIRST, reviews: REVIEWS.slice(0, 2) } }],
  ["/products/3?_expand=company.products", { ...THIRD, company: { ...BOLT, products: [THIRD] } }],
  [
    "/companies/2?_embed=products.company,products.reviews,products",
    { ...BOLT, products: [{ ...THIRD, company: BOLT, reviews: [] }] },
  ],
  // The spelling of json-server 1.0 for a parent.
  ["/products/1?_embed=company", { ...FIRST, company: ACME }],
  ["/products/4?_embed=company", FOURTH],
  ["/products/5?_embed=company", FIFTH],
  ["/products/1?_embed=company.country", { ...FIRST, company: { ...ACME, country: ITALY } }],
  ["/products/3?_embed=company.products", { ...THIRD, company: { ...BOLT, products: [THIRD] } }],
  // As in 0.17: a name without a meaning embeds an empty list and expands nothing.
  ["/companies/2?_embed=product", { ...BOLT, product: [] }],
  ["/companies/2?_embed=nothing", { ...BOLT, nothing: [] }],
  ["/companies/2?_embed=profile", { ...BOLT, profile: [] }],
  ["/companies/2?_embed=nothing.else", { ...BOLT, "nothing.else": [] }],
  ["/companies/2?_embed=products.0", { ...BOLT, "products.0": [] }],
  ["/companies/2?_embed=constructor.__proto__", { ...BOLT, "constructor.__proto__": [] }],
  ["/companies/2?_expand=nothing&_expand=product&_expand=products.nothing", BOLT],
  ["/products/1?_embed=tags", { ...FIRST, tags: [] }],
  // To-many references.
  ["/products/1?_expand=tags", { ...FIRST, tags: [ODD, NEW] }],
  ["/products/3?_expand=tags", { ...THIRD, tags: [] }],
  ["/products/4?_expand=tags", FOURTH],
  ["/products/5?_expand=tags", { ...FIFTH, tags: [NEW, NEW] }],
  ["/products/2?_expand=tags&_expand=tag", { ...SECOND, tags: [NEW], tag: OLD }],
  ["/tags/1?_embed=products", { ...NEW, products: [FIRST, SECOND, FOURTH, FIFTH] }],
  ["/tags/2?_embed=products", { ...OLD, products: [SECOND] }],
  // With _fields, after embedding.
  [
    "/tags/2?_embed=products.company&_fields=name,products.company.name",
    { name: "old", products: [{ company: { name: "Acme" } }] },
  ],
  ["/products/1?_expand=tags&_fields=tags.name", { tags: [{ name: "odd" }, { name: "new" }] }],
];

const lists: [path: string, ids: number[]][] = [
  ["/tags/1/products", [1, 2, 4, 5]],
  ["/tags/2/products", [2]],
  ["/tags/3/products", [1]],
  ["/tags/9/products", [1]],
  ["/tags/8/products", []],
  ["/tags/1/products?_sort=id&_order=desc&_start=1&_limit=2", [4, 2]],
  ["/tags/1/products?company_id=1", [1, 2]],
  // The path decides on the single key; a list may have other elements, too.
  ["/tags/1/products?tag_id=2", [1, 2, 4, 5]],
  ["/tags/1/products?tag_ids=3", [1]],
  ["/companies/1/reviews", []],
];

const refused: [path: string, code: string][] = [
  ["/companies?_embed=products.reviews.product.company.country", "QUERY_INVALID"],
  ["/products/1?_expand=a.b.c.d.e", "QUERY_INVALID"],
];

const strict: [path: string, message?: string][] = [
  ["/companies?_embed=products.reviews"],
  ["/products?_embed=company.country&_expand=tags"],
  ["/products/1?_embed=company.country&_expand=tags"],
  ["/tags/1/products?_expand=company"],
  ["/labels?_embed=company"],
  ["/companies?_embed=labels"],
  [
    "/companies?_embed=produts",
    '_embed=produts: companies has no relation "produts". Did you mean "products"? Relations: country, products.',
  ],
  [
    "/companies?_embed=products.reveiws",
    '_embed=products.reveiws: products has no relation "reveiws". Did you mean "reviews"? Relations: company, tags, tag, reviews.',
  ],
  [
    "/products/1?_expand=company.contry",
    '_expand=company.contry: companies has no relation "contry". Did you mean "country"? Relations: country, products.',
  ],
  [
    "/products?_expand=tgas",
    '_expand=tgas: products has no relation "tgas". Did you mean "tags"? Relations: company, tags, tag.',
  ],
  ["/countries?_embed=company", '_embed=company: countries has no relation "company". Relations: companies.'],
  ["/reviews?_embed=product.labels.nope", '_embed=product.labels.nope: labels has no relation "nope". There are none.'],
];

/** The rules of relations, for every store. */
export function relationSuite(start: (data: JsonObject) => Promise<Ask>): void {
  describe("relations", () => {
    test(`${records.length} records with relations`, async () => {
      const ask = await start(shopData());
      for (const [path, body] of records) expect((await ask(`GET ${path}`)).body, path).toEqual(body);
    });

    test(`${records.length} lists with relations have the same elements as records`, async () => {
      const ask = await start(shopData());
      for (const [path, body] of records) {
        const list = path.replace(/\/(\d+)\?/, "?id=$1&");
        expect((await ask(`GET ${list}`)).body, list).toEqual([body]);
      }
    });

    test(`${lists.length} nested lists`, async () => {
      const ask = await start(shopData());
      for (const [path, ids] of lists) expect(idsOf(await ask(`GET ${path}`)), path).toEqual(ids);
      const body = (await ask("GET /tags/3/products?_expand=tags&_embed=reviews.product&_fields=tags.id,reviews")).body;
      const reviews = REVIEWS.slice(0, 2).map((review) => ({ ...review, product: FIRST }));
      expect(body).toEqual([{ tags: [{ id: 3 }, { id: 1 }], reviews }]);
    });

    test("more than four levels are refused", async () => {
      const ask = await start(shopData());
      for (const [path, code] of refused) {
        const answer = await ask(`GET ${path}`);
        expect([answer.status, codeOf(answer)], path).toEqual([400, code]);
      }
    });

    test("Prefer: explain says what relations add, and by which keys", async () => {
      const ask = await start(shopData());
      const explain = async (path: string) => {
        const { body } = await ask(`GET ${path}`, { headers: { Prefer: "explain" } });
        return (body as { relations?: string[] }).relations;
      };
      expect(await explain("/tags?_embed=products.company,products.tags,nothing")).toEqual([
        "products: children by tag_id or tag_ids",
        "products.company: parent by company_id",
        "products.tags: records listed in tag_ids",
        "nothing: no such relation",
      ]);
      expect(await explain("/tags")).toBeUndefined();
    });

    test("a nested POST writes the key that the records use", async () => {
      const data = shopData();
      const ask = await start({
        ...data,
        notes: [{ id: 1, tag_ids: [2] }],
        marks: [{ id: 1, companyIds: [1] }],
        drafts: [{ id: 1, company_ids: [1] }],
      });
      const post = async (path: string) => (await ask(`POST ${path}`, { body: {} })).body;
      expect(await post("/tags/1/notes")).toEqual({ tag_ids: [1], id: 2 });
      expect(idsOf(await ask("GET /tags/1/notes"))).toEqual([2]);
      expect(await post("/tags/1/products")).toEqual({ tag_id: 1, id: 6 });
      // Their lists tell how the keys of marks and drafts end.
      expect(await post("/tags/1/marks")).toEqual({ tagId: 1, id: 2 });
      expect(await post("/tags/1/drafts")).toEqual({ tag_id: 1, id: 2 });
    });

    test("_dependent follows single keys only", async () => {
      const ask = await start(shopData());
      await ask("DELETE /tags/1?_dependent=products");
      expect(idsOf(await ask("GET /products"))).toEqual([1, 2, 3]);
    });

    test("keys that come and go are followed", async () => {
      const ask = await start({ tags: [{ id: 1 }], notes: [{ id: 1 }] });
      expect((await ask("GET /tags/1?_embed=notes")).body).toEqual({ id: 1, notes: [] });
      expect((await ask("GET /notes/1?_expand=tags")).body).toEqual({ id: 1 });
      await ask("PATCH /notes/1", { body: { tagIds: [1] } });
      expect((await ask("GET /tags/1?_embed=notes")).body).toEqual({ id: 1, notes: [{ id: 1, tagIds: [1] }] });
      expect((await ask("GET /notes/1?_expand=tags")).body).toEqual({ id: 1, tagIds: [1], tags: [{ id: 1 }] });
      await ask("PUT /notes/1", { body: { tag_ids: "1" } });
      expect(idsOf(await ask("GET /tags/1/notes"))).toEqual([1]);
      await ask("PUT /notes/1", { body: { tag_id: 1 } });
      expect((await ask("GET /notes/1?_embed=tag")).body).toEqual({ tag_id: 1, id: 1, tag: { id: 1 } });
      await ask("PUT /notes/1", { body: {} });
      expect((await ask("GET /notes/1?_embed=tag")).body).toEqual({ id: 1, tag: [] });
    });

    test("the ETag covers the collections of every level", async () => {
      const ask = await start(shopData());
      const paths = [
        "/companies?_embed=products.tags",
        "/reviews/1?_expand=product.company",
        "/products?_embed=company",
      ];
      const writes = ["PATCH /tags/1", "PATCH /companies/1", "PATCH /companies/2"];
      for (const [at, path] of paths.entries()) {
        const tag = (await ask(`GET ${path}`)).headers.get("etag")!;
        const again = () => ask(`GET ${path}`, { headers: { "If-None-Match": tag } });
        expect((await again()).status, path).toBe(304);
        await ask(writes[at]!, { body: { name: `changed ${at}` } });
        const changed = await again();
        expect([changed.status, changed.text.includes(`changed ${at}`)], path).toEqual([200, true]);
      }
    });

    test(`${strict.length} requests with Prefer: handling=strict`, async () => {
      const ask = await start(shopData());
      for (const [path, message] of strict) {
        const answer = await ask(`GET ${path}`, { headers: { Prefer: "handling=strict" } });
        const { code, message: given } = answer.body as { code?: string; message?: string };
        const expected = message === undefined ? [200, undefined, undefined] : [400, "QUERY_INVALID", message];
        expect([answer.status, code, given], path).toEqual(expected);
      }
    });
  });
}

/** Compares the relations of any data with a plain implementation of the rules; `replace` calls the data. */
export async function compareWithNaive(
  ask: Ask,
  replace: (data: JsonObject) => Promise<void>,
  { runs, seed }: { runs: number; seed: number },
): Promise<void> {
  const queries = fc.array(relationQuery, { minLength: 10, maxLength: 10 });
  for (const [data, asked] of fc.sample(fc.tuple(relatedData, queries), { numRuns: runs, seed })) {
    await replace(structuredClone(data));
    for (const query of asked) {
      const { status, body } = await ask(lineOf(query));
      const where = `${lineOf(query)} of ${JSON.stringify(data)}`;
      expect(status === 404 ? "missing" : body, where).toEqual(naiveResponse(data, query));
      if (query.id === undefined) continue;
      for (const children of Object.keys(data)) {
        const nested = `/${query.collection}/${query.id}/${children}`;
        const expected = naiveChildren(data, { ...query, children });
        expect((await ask(`GET ${nested}`)).body, `${nested} of ${JSON.stringify(data)}`).toEqual(expected);
      }
    }
  }
}
