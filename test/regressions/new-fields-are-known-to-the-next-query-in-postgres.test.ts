import { expect, test } from "vitest";
import { parseParameters, readQuery } from "../../src/query/parse-query.ts";
import type { Store } from "../../src/store/store.ts";
import { createStore, storeWith } from "../postgres/database.ts";

async function idsBy(store: Store, search: string): Promise<unknown[]> {
  const query = await readQuery(store, "things", parseParameters(search));
  const { records } = await store.find("things", query);
  return records.map(({ value }) => (value as { id: number }).id);
}

function create(store: Store, body: { id: number; [field: string]: number }) {
  return store.apply({ kind: "create", collection: "things", bodies: [body] });
}

test("PostgreSQL takes the name of a field for the field in the first query after the write that brought it", async () => {
  const { store, schema } = await storeWith({ things: [{ id: 1, check: 5, x: 5 }] });
  const other = await createStore({ schema });
  try {
    await create(store, { id: 2, check: 1, "x:in": 7 });
    expect(await idsBy(store, "x:in_in=7,8")).toEqual([2]);
    await create(store, { id: 3, check: 1, check_in: 5 });
    expect(await idsBy(store, "check_in=5")).toEqual([3]);
    expect(await idsBy(other.store, "check_in=5")).toEqual([3]);
  } finally {
    await other.close();
  }
});
