import { describe, expect, test } from "vitest";
import { type Answer, idsOf, startApi } from "../support/api.ts";

describe("the query operators are those of json-server 0.17.4", () => {
  const ids =
    (...wanted: number[]) =>
    (answer: Answer) =>
      expect(idsOf(answer)).toEqual(wanted);
  const fields =
    (...wanted: string[]) =>
    (answer: Answer) =>
      expect(Object.keys(answer.body as object)).toEqual(expect.arrayContaining(wanted));

  const operators: [operator: string, path: string, check: (answer: Answer) => void][] = [
    ["_sort", "/products?_sort=price&_limit=3", ids(7, 11, 6)],
    ["_order", "/products?_sort=price&_order=desc&_limit=3", ids(5, 8, 3)],
    ["q", "/products?q=lamp", ids(10, 12)],
    ["_embed", "/companies/1?_embed=products", fields("products")],
    ["_expand", "/products/1?_expand=company", fields("company")],
    ["_page", "/products?_page=2", ids(11, 12)],
    ["_limit", "/products?_limit=2", ids(1, 2)],
    ["_start", "/products?_start=1&_limit=2", ids(2, 3)],
    ["_end", "/products?_start=1&_end=3", ids(2, 3)],
    ["_gte", "/products?price_gte=100", ids(5, 8)],
    ["_lte", "/products?price_lte=7.75", ids(7, 11)],
    ["_like", "/products?name_like=^steel", ids(1, 3, 12)],
    ["_ne", "/products?company_id_ne=1&company_id_ne=2", ids(4, 6, 9, 12)],
  ];
  for (const [operator, path, check] of operators) {
    test(`${operator}: GET ${path}`, async () => {
      const api = await startApi();
      check(await api.ask(`GET ${path}`));
    });
  }

  for (const query of ["cents_gt=10", "cents=1", "_perpage=3", "_foo=1"]) {
    test(`?${query} is none: it names no field, so nothing is left out`, async () => {
      const api = await startApi();
      expect((await api.ask(`GET /products?${query}`)).body).toHaveLength(12);
    });
  }
});

describe("versioned paths are a rewrite rule", () => {
  test("/api/v1/* -> /$1 maps versioned paths onto the unversioned ones", async () => {
    const api = await startApi({ routes: { "/api/v1/*": "/$1" } });
    for (const path of ["/products", "/products/3", "/companies?_embed=products", "/db", "/companies/1/products"]) {
      const [versioned, plain] = [await api.ask(`GET /api/v1${path}`), await api.ask(`GET ${path}`)];
      expect([versioned.status, versioned.body], path).toEqual([200, plain.body]);
    }
    expect((await api.ask("POST /api/v1/products", { body: {} })).status).toBe(201);
    expect((await api.ask("DELETE /api/v1/products/13")).status).toBe(200);
  });

  test("without the rule there are none", async () => {
    const api = await startApi();
    expect((await api.ask("GET /api/v1/products")).status).toBe(404);
  });
});

test("no response names the version of the service", async () => {
  const api = await startApi();
  for (const path of ["/products", "/", "/db", "/health-check", "/nowhere"]) {
    const { headers, text } = await api.ask(`GET ${path}`);
    expect([headers.get("server"), headers.get("x-powered-by")], path).toEqual([null, null]);
    expect(text, path).not.toMatch(/"version"/);
  }
});
