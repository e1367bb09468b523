import { describe, expect, test } from "vitest";
import { idsOf, startApi } from "../support/api.ts";

describe("nested routes", () => {
  const lists: [path: string, ids: number[]][] = [
    ["/companies/2/products", [3, 5, 8, 11]],
    ["/companies/2/products?price_gte=100", [5, 8]],
    ["/companies/2/products?_sort=price&_order=desc&_start=1&_end=3", [8, 3]],
    ["/companies/2/products?q=bell", [8]],
    // The path decides, whatever the query says of the same key.
    ["/companies/2/products?company_id=1", [3, 5, 8, 11]],
    ["/companies/2/products?company_id_ne=2", []],
    ["/companies/2/products?company_id_gte=1", [3, 5, 8, 11]],
    ["/companies/99/products", []],
    ["/companies/02/products", []],
    // No product has a product_id: the children are none, not all.
    ["/products/1/products", []],
  ];
  for (const [path, ids] of lists) {
    test(`GET ${path} -> ${JSON.stringify(ids)}`, async () => {
      const api = await startApi();
      expect(idsOf(await api.ask(`GET ${path}`))).toEqual(ids);
    });
  }

  test("GET /companies/2/products?_page=1&_limit=2 -> count and links of the nested address", async () => {
    const api = await startApi();
    const { headers } = await api.ask("GET /companies/2/products?_page=1&_limit=2");
    expect(headers.get("x-total-count")).toBe("4");
    expect(headers.get("link")).toContain(`<${api.url}/companies/2/products?_page=2&_limit=2>; rel="next"`);
  });

  const created: [parents: (string | number)[], path: string, key: string | number][] = [
    [[1, 2], "/companies/2/products", 2],
    [["1", "2"], "/companies/2/products", "2"],
    [["acme"], "/companies/acme/products", "acme"],
    [[1, "two"], "/companies/two/products", "two"],
    // The parent need not exist; its key has the type that parents have here.
    [[1, 2], "/companies/7/products", 7],
    [["1", "2"], "/companies/7/products", "7"],
    [[1], "/companies/NaN/products", "NaN"],
    [[1], "/companies/Infinity/products", "Infinity"],
    [[1], "/companies/01/products", "01"],
  ];
  for (const [parents, path, key] of created) {
    test(`POST ${path} beside the companies ${JSON.stringify(parents)} -> company_id ${JSON.stringify(key)}`, async () => {
      const api = await startApi({
        data: { companies: parents.map((id) => ({ id })), products: [] },
        foreignKeySuffix: "_id",
      });
      const { status, body, headers } = await api.ask(`POST ${path}`, { body: { name: "x", company_id: "own" } });
      expect([status, body]).toEqual([201, { name: "x", company_id: key, id: 1 }]);
      expect(headers.get("location")).toBe(`${api.url}/products/1`);
      expect(idsOf(await api.ask(`GET ${path}`))).toEqual([1]);
    });
  }

  test("what was created there is embedded in its parent", async () => {
    const api = await startApi();
    await api.ask("POST /companies/1/products", { body: { name: "x" } });
    const { body } = await api.ask("GET /companies/1?_embed=products");
    expect((body as { products: { id: number }[] }).products.map(({ id }) => id)).toEqual([1, 2, 7, 10, 13]);
  });

  test("POST /companies/1/products with an array -> every one belongs to the parent", async () => {
    const api = await startApi();
    const { status, body } = await api.ask("POST /companies/1/products", { body: [{}, { company_id: 3 }] });
    expect([status, body]).toEqual([
      201,
      [
        { company_id: 1, id: 13 },
        { company_id: 1, id: 14 },
      ],
    ]);
  });
});
