import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

interface Product {
  id: number;
  name: string;
  price: number;
  company_id: number;
}

interface Company {
  id: number;
  name: string;
  revenue: number;
  headquarter: { lat: number; lon: number };
  locations: { city: string; employee_number: number; state: string }[];
}

describe("a product and a company", () => {
  const product = { name: "Paper Kite", price: 3.25, company_id: 2 };
  const company = {
    name: "Delta",
    revenue: 1_234_567.89,
    headquarter: { lat: -12.5, lon: 130.8 },
    locations: [{ city: "Darwin", employee_number: 10, state: "NT" }],
  };

  test("POST /products {name, price, company_id} -> the same fields and types, and the next id", async () => {
    const api = await startApi();
    expect((await api.ask("POST /products", { body: product })).body).toEqual({ ...product, id: 13 });
    expect((await api.ask("POST /products", { body: product })).body).toEqual({ ...product, id: 14 });
    expect((await api.ask("GET /products/13")).body).toEqual({ ...product, id: 13 });
  });

  test("POST /companies {name, revenue, headquarter, locations} -> nested values as sent, and the next id", async () => {
    const api = await startApi();
    expect((await api.ask("POST /companies", { body: company })).body).toEqual({ ...company, id: 4 });
    expect((await api.ask("GET /companies/4")).body).toEqual({ ...company, id: 4 });
  });

  test("no rule says which fields there must be: a record with others, or none, is taken", async () => {
    const api = await startApi();
    expect((await api.ask("POST /products", { body: { colour: null, tags: [] } })).body).toEqual({
      colour: null,
      tags: [],
      id: 13,
    });
    expect((await api.ask("POST /companies", { body: {} })).body).toEqual({ id: 4 });
    expect((await api.ask("POST /products", { body: { name: "Steel Hat" } })).status).toBe(201);
  });
});

describe("relations", () => {
  test("products.company_id refers to companies.id", async () => {
    const api = await startApi();
    const { products, companies } = catalog();
    expect((await api.ask("GET /products/3?_expand=company")).body).toEqual({ ...products[2], company: companies[1] });
  });

  test("deleting a company does not delete its products", async () => {
    const api = await startApi();
    expect((await api.ask("DELETE /companies/2")).status).toBe(200);
    expect((await api.ask("GET /products")).body).toEqual(catalog().products);
    expect(idsOf(await api.ask("GET /products?company_id=2"))).toEqual([3, 5, 8, 11]);
  });
});

describe("the generated dataset", () => {
  let database: { products: Product[]; companies: Company[] };
  let text: string;

  beforeAll(async () => {
    const folder = createFolder({ "db.json": { products: [], companies: [], leftover: [1] } });
    expect(await runKept(["generate", "db.json", "--seed", "7"], folder).exit).toBe(0);
    text = readFileSync(join(folder, "db.json"), "utf8");
    database = JSON.parse(text);
  });

  test("is { products, companies }, and overwrites what was there", () => {
    expect(Object.keys(database)).toEqual(["products", "companies"]);
    expect(text).toBe(`${JSON.stringify(database, null, 2)}\n`);
  });

  test("has 100 products and 100 companies with ids 1 to 100", () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(database.products.map(({ id }) => id)).toEqual(ids);
    expect(database.companies.map(({ id }) => id)).toEqual(ids);
  });

  test("a product has id, name, price from 1 to 1000 with two decimals, and an existing company", () => {
    const companies = new Set(database.companies.map(({ id }) => id));
    for (const product of database.products) {
      expect(Object.keys(product)).toEqual(["id", "name", "price", "company_id"]);
      expect(product.name).toMatch(/\S/);
      expectDecimal(product.price, 1, 1000);
      expect(Number.isInteger(product.company_id)).toBe(true);
      expect(companies).toContain(product.company_id);
    }
  });

  test("a company has id, name, revenue from 1,000,000 to 100,000,000 with two decimals, headquarter, locations", () => {
    for (const company of database.companies) {
      expect(Object.keys(company)).toEqual(["id", "name", "revenue", "headquarter", "locations"]);
      expect(company.name).toMatch(/\S/);
      expectDecimal(company.revenue, 1_000_000, 100_000_000);
      expect(Object.keys(company.headquarter)).toEqual(["lat", "lon"]);
      expect(Math.abs(company.headquarter.lat)).toBeLessThanOrEqual(90);
      expect(Math.abs(company.headquarter.lon)).toBeLessThanOrEqual(180);
    }
  });

  test("a company has 1 to 5 locations with city, employee_number from 10 to 10000, and state", () => {
    for (const { locations } of database.companies) {
      expect(locations.length).toBeGreaterThanOrEqual(1);
      expect(locations.length).toBeLessThanOrEqual(5);
      for (const location of locations) {
        expect(Object.keys(location)).toEqual(["city", "employee_number", "state"]);
        expect(location.city).toMatch(/\S/);
        expect(location.state).toMatch(/\S/);
        expect(Number.isInteger(location.employee_number)).toBe(true);
        expect(location.employee_number).toBeGreaterThanOrEqual(10);
        expect(location.employee_number).toBeLessThanOrEqual(10_000);
      }
    }
  });

  test("is the same for the same seed, and another for another", async () => {
    const folder = createFolder();
    for (const [file, seed] of [
      ["same.json", "7"],
      ["other.json", "8"],
    ] as const) {
      expect(await runKept(["generate", file, "--seed", seed], folder).exit).toBe(0);
    }
    expect(readFileSync(join(folder, "same.json"), "utf8")).toBe(text);
    expect(readFileSync(join(folder, "other.json"), "utf8")).not.toBe(text);
  });
});

function expectDecimal(value: number, least: number, greatest: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(greatest);
  expect(Number(value.toFixed(2))).toBe(value);
}
