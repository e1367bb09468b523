import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";

interface Product {
  id: number;
  name: string;
  sku?: string;
  price?: number;
}

describe("db.products.upsert", () => {
  let api: Standin<{ products: Product[] }>;
  beforeEach(async () => {
    const products: Product[] = [{ id: 1, name: "Pot", sku: "p1" }];
    api = await createStandin({ data: { products } });
  });
  afterEach(() => api.close());

  test("changes the record with the id, or creates one", async () => {
    expect(await api.db.products.upsert({ id: 1, name: "Jar" })).toEqual({ id: 1, name: "Jar", sku: "p1" });
    expect(await api.db.products.upsert({ name: "Mug" })).toEqual({ id: 2, name: "Mug" });
    expect(await api.db.products.upsert({ id: 9, name: "Hat" })).toEqual({ id: 9, name: "Hat" });
  });

  test("finds by another field", async () => {
    const found = await api.db.products.upsert({ sku: "p1", name: "Vase" }, { on: "sku" });
    expect(found).toEqual({ id: 1, name: "Vase", sku: "p1" });
  });

  test("leaves a record as it is, if asked to", async () => {
    expect(await api.db.products.upsert({ id: 1, name: "Jar" }, { ignore: true })).toMatchObject({ name: "Pot" });
    expect(await api.changes()).toEqual([]);
  });

  test("returns a copy", async () => {
    const made = await api.db.products.upsert({ id: 1, name: "Jar" });
    made.name = "changed";
    expect((await api.db.products.get(1))?.name).toBe("Jar");
  });
});
