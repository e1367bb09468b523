import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Trace } from "../../src/store/store.ts";
import { storeWith } from "./database.ts";

const products = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));

/** The ids of a page, and the number of records that the database read for it. */
async function page(store: PostgresStore, text: string) {
  const trace: Trace = { steps: [], touched: 0 };
  const { records, total } = await store.find("products", parseQuery(parseParameters(text)), { trace });
  return { ids: records.map(({ value }) => (value as JsonObject).id), total, touched: trace.touched };
}

test("a far page reads its own records only, until a record is removed", async () => {
  const { store } = await storeWith({ products: products(1000) });
  const far = "_page=90&_limit=10";
  const before = await page(store, far);
  expect(before).toMatchObject({
    ids: products(1000)
      .slice(890, 900)
      .map(({ id }) => id),
    total: 1000,
  });
  expect(before.touched).toBeLessThan(100);
  await store.apply({ kind: "create", collection: "products", bodies: [{ name: "last" }] });
  expect(await page(store, "_start=999&_limit=5")).toMatchObject({ ids: [1000, 1001], total: 1001 });
  await store.apply({ kind: "remove", collection: "products", id: "5", dependents: [] });
  expect((await page(store, far)).ids).toEqual(
    products(1000)
      .slice(891, 901)
      .map(({ id }) => id),
  );
  await store.apply({ kind: "create", collection: "products", bodies: [{ name: "new" }] });
  expect((await page(store, "_start=999&_limit=5")).ids).toEqual([1001, 1002]);
  expect((await page(store, "_start=0&_limit=6")).ids).toEqual([1, 2, 3, 4, 6, 7]);
});

test("loaded records are visible to indexes at once, without a vacuum", async () => {
  const { url, schema } = await storeWith({ products: products(1000) });
  const sql = postgres(url, { max: 1 });
  onTestFinished(() => sql.end());
  const rows = await sql`SELECT relpages, relallvisible FROM pg_class
    WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' AND relname LIKE 'records_%'`;
  expect(rows[0]?.relpages).toBeGreaterThan(1);
  expect(rows[0]?.relallvisible).toBe(rows[0]?.relpages);
});
