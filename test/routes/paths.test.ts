import { describe, expect, test } from "vitest";
import { idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { askRaw } from "../support/raw.ts";

test("a misspelt path of a built-in route names the nearest, also of a feature that is off", async () => {
  const { ask } = await startApi({ data: catalog() });
  for (const [path, meant] of [
    ["/__snapshots", "/__snapshots__"],
    ["/__sandboxs/a", "/__sandboxes"],
    ["/__colections", "/__collections"],
  ]) {
    expect((await ask(`GET ${path}`)).body).toMatchObject({
      code: "ROUTE_NOT_FOUND",
      message: expect.stringContaining(`Did you mean "${meant}"?`),
    });
  }
});

describe("paths", () => {
  const cases: [path: string, outcome: string][] = [
    ["/products/1", "200"],
    ["/products/1/", "200"],
    ["/products/", "200"],
    ["/db/", "200"],
    ["/PRODUCTS/1", "200"],
    ["/pRoDuCtS", "200"],
    ["/companies/1/PRODUCTS/", "200"],
    ["/pr%6Fducts/%31", "200"],
    ["/my%20things/a%2Fb", "200"],
    ["/%C3%A4pfel/1", "200"],
    ["/%c3%a4PFEL/1", "200"],
    ["/products//", "404 RECORD_NOT_FOUND"],
    ["//products", "404 COLLECTION_NOT_FOUND"],
    ["/products/1/companies/2", "404 ROUTE_NOT_FOUND"],
    ["/a/b/c/d", "404 ROUTE_NOT_FOUND"],
    ["/product", "404 COLLECTION_NOT_FOUND"],
    ["/nowhere/1", "404 COLLECTION_NOT_FOUND"],
    ["/nowhere/1/products", "404 COLLECTION_NOT_FOUND"],
    ["/companies/1/nowhere", "404 COLLECTION_NOT_FOUND"],
    ["/companies/1/profile", "404 COLLECTION_NOT_FOUND"],
    ["/__nothing", "404 ROUTE_NOT_FOUND"],
    ["/profile/1", "404 ROUTE_NOT_FOUND"],
    ["/$schema", "404 COLLECTION_NOT_FOUND"],
    ["/__proto__", "404 ROUTE_NOT_FOUND"],
    ["/constructor", "404 COLLECTION_NOT_FOUND"],
    ["/products/%", "400 PATH_MALFORMED"],
    ["/products/%E0%A4%A", "400 PATH_MALFORMED"],
    ["/products/%ff", "400 PATH_MALFORMED"],
    ["/%zz", "400 PATH_MALFORMED"],
    // Dots are no steps here: these are the companies of the product "..", of which there are none.
    ["/products/../companies", "200"],
    ["/../products/1", "404 COLLECTION_NOT_FOUND"],
    ["*", "404 COLLECTION_NOT_FOUND"],
    ["http://elsewhere.example/products/1", "200"],
    ["http://elsewhere.example?x=1", "200"],
  ];
  for (const [path, outcome] of cases) {
    test(`GET ${path} -> ${outcome}`, async () => {
      const data = { ...catalog(), $schema: "x", profile: {}, "my things": [{ id: "a/b" }], äpfel: [{ id: 1 }] };
      const { port } = await startApi({ data });
      const { status, body } = await askRaw(port, `GET ${path}`);
      const { code } = JSON.parse(body) as { code?: string };
      expect([status, code].join(" ").trim()).toBe(outcome);
    });
  }

  test("a name that matches exactly wins over one that differs in case", async () => {
    const api = await startApi({ data: { Products: [{ id: "upper" }], products: [{ id: "lower" }] } });
    expect(idsOf(await api.ask("GET /products"))).toEqual(["lower"]);
    expect(idsOf(await api.ask("GET /Products"))).toEqual(["upper"]);
    expect(idsOf(await api.ask("GET /PRODUCTS"))).toEqual(["upper"]);
  });

  test("an unknown collection gets a list of what exists, and the nearest name", async () => {
    const api = await startApi();
    const { body } = await api.ask("GET /product");
    expect((body as { message: string }).message).toMatch(/"product".*"products".*\/products, \/companies/);
  });

  test("an unknown path gets a list of what exists", async () => {
    const api = await startApi();
    const { body } = await api.ask("GET /a/b/c/d");
    expect((body as { message: string }).message).toMatch(/\/a\/b\/c\/d.*\/products, \/companies, \/db/);
  });
});
