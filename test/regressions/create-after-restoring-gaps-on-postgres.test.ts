import { expect, test } from "vitest";
import { storeWith } from "../postgres/database.ts";

test("records can be created after a snapshot of records with gaps between them was restored", async () => {
  const { store } = await storeWith({ products: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  await store.apply({ kind: "remove", collection: "products", id: "1", dependents: [] });
  await store.data.save("gaps");
  await store.data.restore("gaps");
  await store.apply({ kind: "create", collection: "products", bodies: [{}, {}] });
  const [products] = await store.export();
  expect(products).toMatchObject({ records: [2, 3, 4, 5].map((id) => ({ value: { id } })) });
});
