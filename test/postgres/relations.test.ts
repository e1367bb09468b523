import { expect, onTestFinished, test } from "vitest";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { askAt, idsOf } from "../support/api.ts";
import { compareWithNaive, relationSuite, shopData } from "../support/relation-suite.ts";
import { serveStore } from "../support/serve-store.ts";
import { createStore, storeWith } from "./database.ts";
import { oneDatabase } from "./one-database.ts";

const SEED = Number(process.env.STANDIN_SEED ?? 1);

relationSuite(oneDatabase());

test(`relations of any data are those of a plain implementation (STANDIN_SEED=${SEED})`, async () => {
  const { store } = await storeWith({});
  const url = await serve(store);
  await compareWithNaive(
    (line) => askAt(url, line),
    (data) => store.swap(data),
    { runs: 2, seed: SEED },
  );
});

test("lists with many ids are found by a scan as by the index", async () => {
  const tags = Array.from({ length: 700 }, (_, at) => ({ id: at % 2 ? at : `t${at}` }));
  const notes = Array.from({ length: 50 }, (_, at) => ({ id: at, tagIds: [tags[at * 7]!.id, `${tags[at]!.id}`] }));
  const { store } = await storeWith({ tags, notes });
  const url = await serve(store);
  const all = (await askAt(url, "GET /tags?_embed=notes")).body as { id: unknown; notes: { id: number }[] }[];
  for (const [at, { notes: found }] of all.entries()) {
    const expected = notes.filter(({ tagIds }) => tagIds.some((id) => String(id) === String(tags[at]!.id)));
    expect(found).toEqual(expected);
  }
  expect((await askAt(url, "GET /tags?_embed=notes&_limit=60")).body).toEqual(all.slice(0, 60));
});

test("another process learns of new keys with the request that needs them", async () => {
  const first = await storeWith(shopData());
  const second = await createStore({ schema: first.schema });
  onTestFinished(second.close);
  const [here, there] = [await serve(first.store), await serve(second.store)];
  expect(idsOf(await askAt(there, "GET /tags/1/reviews"))).toEqual([]);
  await askAt(here, "PATCH /reviews/1", { body: { tagIds: [1] } });
  expect(idsOf(await askAt(there, "GET /tags/1/reviews"))).toEqual([1]);
  await askAt(here, "PATCH /reviews/2", { body: { company_ids: [2] } });
  expect((await askAt(there, "GET /companies?_embed=reviews.product")).body).toMatchObject([
    { reviews: [] },
    { reviews: [{ id: 2, product: { id: 1 } }] },
  ]);
  await askAt(here, "PATCH /countries/1", { body: { tag_ids: [2] } });
  expect((await askAt(there, "GET /countries/1?_expand=tags")).body).toMatchObject({ tags: [{ name: "old" }] });
});

async function serve(store: PostgresStore): Promise<string> {
  const listening = await serveStore(store);
  onTestFinished(() => listening.close());
  return listening.url;
}
