import { expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { createFolder } from "../support/cli.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile } from "./place.ts";

const BEGIN = { a: [{ id: 1, n: 0 }] };
const LATER = { id: 2, n: 2 };

const exchanges: readonly [name: string, exchange: (store: Store) => Promise<void>, after: object][] = [
  ["reset", (store) => store.reset(), { a: [{ id: 1, n: 0 }, LATER] }],
  ["restore", (store) => store.swap({ a: [{ id: 1, n: 9 }] }), { a: [{ id: 1, n: 9 }, LATER] }],
];

test.each(exchanges)(
  "a write that comes during a %s follows it, and both are saved",
  async (_name, exchange, after) => {
    const folder = createFolder({ "db.json": asFile(BEGIN) });
    const { store } = await opened(folder);
    await create(store, "a", { n: 1 });
    const before = await databaseOf(store);
    const exchanging = exchange(store);
    const writing = create(store, "a", { n: 2 });
    // Readers find the data there is until the other data is ready.
    expect(await databaseOf(store)).toEqual(before);
    await Promise.all([exchanging, writing]);
    expect(await databaseOf(store)).toEqual(after);
    await store.close();
    expect(await databaseOf((await opened(folder)).store)).toEqual(after);
  },
);

test("a restore that comes during a large write follows it", async () => {
  const folder = createFolder({ "db.json": asFile(BEGIN) });
  const { store } = await opened(folder);
  const bodies = Array.from({ length: 2000 }, (_, n) => ({ n, text: "x".repeat(100) }));
  const writing = store.apply({ kind: "create", collection: "a", bodies });
  const restored = { a: [{ id: 1, n: 9 }] };
  const exchanging = store.swap(restored);
  expect((await writing).edits).toHaveLength(2000);
  await exchanging;
  expect(await databaseOf(store)).toEqual(restored);
  await store.close();
  expect(await databaseOf((await opened(folder)).store)).toEqual(restored);
});
