import { describe, expect, expectTypeOf, test } from "vitest";
import { createStandin } from "../../src/index.ts";

interface Product {
  id: number;
  name: string;
  price: number;
  sku: string;
  company_id: number;
}

const RULES = {
  products: {
    required: ["name", "price", "sku", "company_id"],
    properties: {
      name: { type: "string", minLength: 1 },
      price: { type: "number", minimum: 0 },
      sku: { type: "string", pattern: "^[A-Z]\\d$" },
      company_id: { type: "integer" },
    },
    "x-unique": ["sku"],
    "x-references": { company_id: "companies" },
  },
  users: { properties: { id: { type: "string", pattern: "^usr_[a-z]{6}$" } }, required: ["id"] },
};
const data = (): { products: Product[]; companies: { id: number }[]; users: { id: string }[] } => ({
  products: [{ id: 7, name: "Hat", price: 1, sku: "A1", company_id: 2 }],
  companies: [{ id: 2 }, { id: 3 }],
  users: [],
});

describe("make", () => {
  test("creates valid records with the fields given, through the ordinary write", async () => {
    await using api = await createStandin({ data: data(), rules: RULES });
    const products = await api.db.products.make({ price: 1.25 }, 20);
    expectTypeOf(products).toEqualTypeOf<Product[]>();
    expect(products.map(({ id, price }) => [id, price])).toEqual(products.map((_, at) => [at + 8, 1.25]));
    expect(new Set(["A1", ...products.map(({ sku }) => sku)]).size).toBe(21);
    expect(products.filter(({ company_id }) => ![2, 3].includes(company_id))).toEqual([]);
    expect(await (await fetch(`${api.url}/products/27`)).json()).toEqual(products[19]);
    const one = await api.db.products.make();
    expectTypeOf(one).toEqualTypeOf<Product>();
    expect(one).toMatchObject({ id: 28 });
    expect(await api.changes()).toHaveLength(2);
    expect(await api.db.users.make({}, 2)).toMatchObject([{ id: expect.stringMatching(/^usr_/) }, {}]);
    expect(await api.db.products.make({}, 0)).toEqual([]);
    // @ts-expect-error: there is no such field.
    await api.db.products.make({ prize: 1 });
  });

  test("the same seed makes the same records, again after a reset, and others with each call", async () => {
    const make = async (seed?: number) => {
      await using api = await createStandin({ data: data(), rules: RULES, ...(seed !== undefined && { seed }) });
      const first = await api.db.products.make({}, 3);
      const second = await api.db.products.make({}, 3);
      await api.reset();
      expect(await api.db.products.make({}, 3)).toEqual(first);
      expect(await api.sandbox("other").db.products.make({}, 3)).not.toEqual(second);
      expect(second.map(({ name }) => name)).not.toEqual(first.map(({ name }) => name));
      return first;
    };
    const unseeded = await make();
    expect(await make()).toEqual(unseeded);
    expect(await make(5)).not.toEqual(unseeded);
  });

  test("fields that break a rule are refused, and nothing is written", async () => {
    await using api = await createStandin({ data: data(), rules: RULES });
    const refused = api.db.products.make({ price: -1 }, 3);
    await expect(refused).rejects.toMatchObject({
      code: "RECORD_INVALID",
      message: expect.stringContaining("/price (rule minimum)"),
    });
    await expect(api.db.products.make({ sku: "A1" })).rejects.toMatchObject({ code: "RECORD_INVALID" });
    await expect(api.db.products.make({}, -1)).rejects.toThrow("-1 is not a number of records");
    expect(await api.db.products.find()).toHaveLength(1);
  });

  test("without rules, records take the shape of those that are there", async () => {
    const products = Array.from({ length: 4 }, (_, at) => ({
      id: at + 1,
      name: `Hat ${at}`,
      sku: `S${at}`,
      price: at / 2,
      company_id: 2,
      status: at % 2 === 0 ? "new" : "old",
    }));
    await using api = await createStandin({
      data: { products, companies: [{ id: 2 }, { id: 3 }], empty: [] as { id: number }[] },
    });
    const made = await api.db.products.make({ name: "Cap" }, 5);
    for (const record of made) {
      expect(Object.keys(record).sort()).toEqual(["company_id", "id", "name", "price", "sku", "status"]);
      expect([2, 3]).toContain(record.company_id);
      expect(["new", "old"]).toContain(record.status);
      expect(record).toMatchObject({ name: "Cap", price: expect.any(Number) });
    }
    expect(new Set(made.map(({ sku }) => sku)).size).toBe(5);
    await expect(api.db.empty.make()).rejects.toThrow("make: empty has neither rules nor records whose shape");
  });
});
