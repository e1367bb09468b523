import { describe, expect, test } from "vitest";
import { codeOf, idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

describe("GET", () => {
  test("GET /products -> 200, the array of all records in their order", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("GET /products");
    expect([status, body]).toEqual([200, catalog().products]);
  });

  test("GET /companies/2 -> 200, one record", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("GET /companies/2");
    expect([status, body]).toEqual([200, catalog().companies[1]]);
  });

  test("GET /products/13 -> 404 RECORD_NOT_FOUND, naming collection and id", async () => {
    const api = await startApi();
    const answer = await api.ask("GET /products/13");
    expect([answer.status, answer.body]).toEqual([
      404,
      { error: expect.any(String), message: expect.stringMatching(/products.*13/), code: "RECORD_NOT_FOUND" },
    ]);
  });
});

describe("POST", () => {
  test("POST /products -> 201, the record with its id, and Location with its absolute URL", async () => {
    const api = await startApi();
    const { status, body, headers } = await api.ask("POST /products", { body: { name: "Kite" } });
    expect([status, body]).toEqual([201, { name: "Kite", id: 13 }]);
    expect(headers.get("location")).toBe(`${api.url}/products/13`);
    expect((await api.ask("GET /products/13")).body).toEqual({ name: "Kite", id: 13 });
    expect(idsOf(await api.ask("GET /products")).at(-1)).toBe(13);
  });

  test("Location does not carry the query or a trailing slash along", async () => {
    const api = await startApi();
    const first = await api.ask("POST /products?x=1", { body: {} });
    expect(first.headers.get("location")).toBe(`${api.url}/products/13`);
    const second = await api.ask("POST /products/", { body: {} });
    expect(second.headers.get("location")).toBe(`${api.url}/products/14`);
  });

  for (const [charset, encoding] of [
    ["utf8", "utf8"],
    ["UTF-8", "utf8"],
    ["utf-16", "utf16le"],
    ["utf16le", "utf16le"],
  ] as const) {
    test(`POST /products in ${charset} -> 201`, async () => {
      const api = await startApi();
      const answer = await fetch(`${api.url}/products`, {
        method: "POST",
        headers: { "Content-Type": `application/json; charset=${charset}` },
        body: Buffer.from('{"name":"Zoë’s"}', encoding),
      });
      expect([answer.status, await answer.json()]).toEqual([201, { name: "Zoë’s", id: 13 }]);
    });
  }

  test("POST /products without a body -> 201, an empty record", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("POST /products");
    expect([status, body]).toEqual([201, { id: 13 }]);
  });

  test("POST /products with an array -> 201, all of them in order, no Location", async () => {
    const api = await startApi();
    const answer = await api.ask("POST /products", { body: [{ name: "a" }, { id: 20, name: "b" }, { name: "c" }] });
    const created = [
      { name: "a", id: 21 },
      { id: 20, name: "b" },
      { name: "c", id: 22 },
    ];
    expect([answer.status, answer.body]).toEqual([201, created]);
    expect(answer.headers.get("location")).toBeNull();
    expect((await api.ask("GET /products")).body).toEqual([...catalog().products, ...created]);
    expect((await api.ask("GET /products/22")).body).toEqual({ name: "c", id: 22 });
  });

  test("POST /products with an empty array -> 201 []", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("POST /products", { body: [] });
    expect([status, body]).toEqual([201, []]);
    expect((await api.ask("GET /products")).body).toEqual(catalog().products);
  });

  const refused: [body: unknown, status: number, code: string][] = [
    [[{}, { id: 1 }], 409, "ID_TAKEN"],
    [[{ id: 50 }, { id: 50 }], 409, "ID_TAKEN"],
    [[{ id: 50 }, { id: "50" }], 409, "ID_TAKEN"],
    [[{}, { id: true }], 400, "ID_INVALID"],
    [[{}, 5], 400, "BODY_NOT_OBJECT"],
    [[{}, null], 400, "BODY_NOT_OBJECT"],
    [[{}, [{}]], 400, "BODY_NOT_OBJECT"],
  ];
  for (const [body, status, code] of refused) {
    test(`POST /products ${JSON.stringify(body)} -> ${status} ${code}, and none of them is created`, async () => {
      const api = await startApi();
      const answer = await api.ask("POST /products", { body });
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
      expect((await api.ask("GET /products")).body).toEqual(catalog().products);
    });
  }

  test("an id of the array that is text does not become a second record's number", async () => {
    const api = await startApi();
    const { body } = await api.ask("POST /products", { body: [{ id: "13" }, {}] });
    expect(body).toEqual([{ id: "13" }, { id: 14 }]);
  });
});

describe("PUT", () => {
  test("PUT /products/2 -> 200, the replaced record; fields left out are gone, its place is kept", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("PUT /products/2", { body: { id: 2, name: "Stool" } });
    expect([status, body]).toEqual([200, { id: 2, name: "Stool" }]);
    const expected = catalog().products.with(1, { id: 2, name: "Stool" });
    expect((await api.ask("GET /products")).body).toEqual(expected);
  });

  for (const id of [99, "2", null, 0, "", "other", 3]) {
    test(`PUT /products/2 {"id":${JSON.stringify(id)}} -> the id of the path stays`, async () => {
      const api = await startApi();
      expect((await api.ask("PUT /products/2", { body: { id, name: "Stool" } })).body).toEqual({
        id: 2,
        name: "Stool",
      });
      expect(idsOf(await api.ask("GET /products"))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });
  }

  test("PUT /products/2 without a body -> 200, nothing but the id is left", async () => {
    const api = await startApi();
    expect((await api.ask("PUT /products/2")).body).toEqual({ id: 2 });
  });

  test("PUT /products/99 -> 404 RECORD_NOT_FOUND, nothing is created", async () => {
    const api = await startApi();
    const answer = await api.ask("PUT /products/99", { body: { id: 99 } });
    expect([answer.status, codeOf(answer)]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect((await api.ask("GET /products")).body).toEqual(catalog().products);
  });
});

describe("PATCH", () => {
  test("PATCH /products/2 {price} -> 200, the merged record; other fields stay", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("PATCH /products/2", { body: { price: 1, sold: true } });
    const merged = { id: 2, name: "Wooden Chair", price: 1, company_id: 1, sold: true };
    expect([status, body]).toEqual([200, merged]);
    expect((await api.ask("GET /products/2")).body).toEqual(merged);
  });

  test("the merge is shallow: a nested object is replaced, null is stored", async () => {
    const api = await startApi();
    const { body } = await api.ask("PATCH /companies/2", { body: { headquarter: { lat: 1 }, locations: null } });
    expect(body).toEqual({ id: 2, name: "Bolt", revenue: 1_250_000, headquarter: { lat: 1 }, locations: null });
  });

  for (const id of [99, "2", null, 0, ""]) {
    test(`PATCH /products/2 {"id":${JSON.stringify(id)}} -> the id cannot be changed`, async () => {
      const api = await startApi();
      expect((await api.ask("PATCH /products/2", { body: { id } })).body).toEqual(catalog().products[1]);
    });
  }

  test("PATCH /products/2 without a body -> 200, nothing changes", async () => {
    const api = await startApi();
    expect((await api.ask("PATCH /products/2")).body).toEqual(catalog().products[1]);
  });

  test("PATCH /products/99 -> 404 RECORD_NOT_FOUND", async () => {
    const api = await startApi();
    const answer = await api.ask("PATCH /products/99", { body: {} });
    expect([answer.status, codeOf(answer)]).toEqual([404, "RECORD_NOT_FOUND"]);
  });
});

describe("DELETE", () => {
  test("DELETE /products/2 -> 200 {}; a second call 404", async () => {
    const api = await startApi();
    const first = await api.ask("DELETE /products/2");
    expect([first.status, first.text]).toEqual([200, "{}"]);
    const second = await api.ask("DELETE /products/2");
    expect([second.status, codeOf(second)]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect(idsOf(await api.ask("GET /products"))).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("nothing else goes, not even records with dangling or null keys", async () => {
    const products = [{ id: 1, company_id: 9 }, { id: 2, company_id: null }, { id: 3 }];
    const api = await startApi({ data: { companies: [{ id: 1 }], products: structuredClone(products) } });
    expect((await api.ask("DELETE /companies/1")).status).toBe(200);
    expect((await api.ask("GET /products")).body).toEqual(products);
  });

  const dependents: [query: string, products: number[], reviews: number[]][] = [
    ["", [1, 2, 3], [1, 2]],
    ["?_dependent=products", [2], [1, 2]],
    ["?_dependent=reviews", [1, 2, 3], [2]],
    ["?_dependent=products,reviews", [2], [2]],
    ["?_dependent=products&_dependent=reviews", [2], [2]],
    ["?_dependent=products,products", [2], [1, 2]],
    ["?_dependent=", [1, 2, 3], [1, 2]],
  ];
  for (const [query, products, reviews] of dependents) {
    test(`DELETE /companies/1${query} leaves products ${products} and reviews ${reviews}`, async () => {
      const api = await startApi({
        data: {
          companies: [{ id: 1 }, { id: 2 }],
          products: [
            { id: 1, company_id: 1 },
            { id: 2, company_id: 2 },
            { id: 3, company_id: "1" },
          ],
          reviews: [
            { id: 1, company_id: 1 },
            { id: 2, product_id: 1, company_id: null },
          ],
        },
      });
      expect((await api.ask(`DELETE /companies/1${query}`)).status).toBe(200);
      expect(idsOf(await api.ask("GET /companies"))).toEqual([2]);
      expect(idsOf(await api.ask("GET /products"))).toEqual(products);
      expect(idsOf(await api.ask("GET /reviews"))).toEqual(reviews);
    });
  }

  test("a record that refers to itself, or to its brother, goes once", async () => {
    const companies = [
      { id: 1, company_id: 1 },
      { id: 2, company_id: 1 },
      { id: 3, company_id: 2 },
    ];
    const api = await startApi({ data: { companies } });
    expect((await api.ask("DELETE /companies/1?_dependent=companies")).status).toBe(200);
    expect(idsOf(await api.ask("GET /companies"))).toEqual([3]);
  });

  test("DELETE /companies/1?_dependent=product -> 400 QUERY_INVALID with the nearest name, nothing removed", async () => {
    const api = await startApi();
    const answer = await api.ask("DELETE /companies/1?_dependent=product");
    expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
    expect((answer.body as { message: string }).message).toMatch(/_dependent=product.*"products"/);
    expect((await api.ask("GET /db")).body).toEqual(catalog());
  });
});

describe("built-in routes", () => {
  test("GET /__rules without rules -> 200 {}", async () => {
    const api = await startApi();
    const { status, text } = await api.ask("GET /__rules");
    expect([status, text]).toEqual([200, "{}"]);
  });

  test("GET /health-check -> status, uptime in whole seconds, store", async () => {
    const api = await startApi();
    expect((await api.ask("GET /health-check")).body).toEqual({ status: "ok", uptime: 0, store: "memory" });
  });

  test("GET /health -> 404: it exists only through a rewrite rule", async () => {
    const api = await startApi();
    expect((await api.ask("GET /health")).status).toBe(404);
  });

  test("GET /stats -> count, and least, greatest and mean of numeric fields", async () => {
    const api = await startApi({
      data: {
        products: [
          { id: 1, price: 10, name: "a" },
          { id: 2, price: 20.5 },
          { id: 3, price: "x" },
        ],
        empty: [],
        profile: { visits: 3 },
      },
    });
    expect((await api.ask("GET /stats")).body).toEqual({
      products: {
        count: 3,
        fields: { id: { min: 1, max: 3, mean: 2 }, price: { min: 10, max: 20.5, mean: 15.25 } },
      },
      empty: { count: 0, fields: {} },
    });
  });

  test("GET /stats follows every write", async () => {
    const api = await startApi({ data: { products: [{ id: 1, price: 10 }] } });
    await api.ask("GET /stats");
    await api.ask("POST /products", { body: { price: 30 } });
    expect((await api.ask("GET /stats")).body).toMatchObject({
      products: { count: 2, fields: { price: { max: 30, mean: 20 } } },
    });
  });

  test("a data key of the same name wins over /stats and /health-check", async () => {
    const api = await startApi({ data: { stats: [{ id: 1 }], "health-check": { fine: true } } });
    expect((await api.ask("GET /stats")).body).toEqual([{ id: 1 }]);
    expect((await api.ask("GET /health-check")).body).toEqual({ fine: true });
  });

  test("/db and /__rules win over a data key of the same name", async () => {
    const data = { db: [{ id: 1 }], __rules: [{ id: 1 }] };
    const api = await startApi({ data: structuredClone(data) });
    expect((await api.ask("GET /db")).body).toEqual(data);
    expect((await api.ask("GET /__rules")).body).toEqual({});
  });

  test("a start warns of a data key that a built-in route hides", async () => {
    const served = await serveKept(["db.json"], createFolder({ "db.json": { db: [], products: [] } }));
    await served.stop();
    expect(served.output.stdout + served.output.stderr).toMatch(/warning.*\/db is a built-in route/);
  });

  test("GET / -> what is served, as JSON", async () => {
    const api = await startApi({ data: { ...catalog(), "my things": [], profile: {} } });
    const { status, headers, body } = await api.ask("GET /");
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(body).toMatchObject({
      name: "standin",
      database: `${api.url}/db`,
      serves: [
        { name: "products", kind: "collection", count: 12, url: `${api.url}/products` },
        { name: "companies", kind: "collection", count: 3, url: `${api.url}/companies` },
        { name: "my things", kind: "collection", count: 0, url: `${api.url}/my%20things` },
        { name: "profile", kind: "singleton", count: 1, url: `${api.url}/profile` },
      ],
    });
  });

  test("GET / by a browser, without the console -> a page that links to every collection and runs no script", async () => {
    const data = { products: [{ id: 1 }], "<img src=x onerror=alert(1)>": [] };
    const api = await startApi({ data, console: false });
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
    const { status, headers, text } = await api.ask("GET /", { headers: { Accept: accept } });
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain('href="/products"');
    expect(text).not.toContain("<img");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
