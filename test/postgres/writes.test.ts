import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCollections } from "../../src/config/collections.ts";
import type { JsonObject } from "../../src/json.ts";
import { createCompletions } from "../../src/store/completion.ts";
import { incomingMembers } from "../../src/store/postgres/load/incoming-members.ts";
import { askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { describeBatches } from "../writes/batch-cases.ts";
import { checkBatches, MODEL_START } from "../writes/batch-model.ts";
import { describeWrites, type Place, START } from "../writes/cases.ts";
import { describeIdempotency } from "../writes/idempotency-cases.ts";
import { createClock, DATA, expectedTranscript, SEED, SETTINGS, transcript } from "../writes/settings-cases.ts";
import { transfer } from "../writes/transfers.ts";
import { createStore, storeWith } from "./database.ts";

let opened: Awaited<ReturnType<typeof createStore>>;
let served: ServedStore;
beforeAll(async () => {
  opened = await createStore();
  await opened.store.data.replace(incomingMembers(START), true);
  served = await serveStore(opened.store);
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

const place = (): Place => ({
  ask: (line, options) => askAt(served.url, line, options),
  reset: () => opened.store.reset(),
});
describeWrites("on PostgreSQL", place);
describeBatches("on PostgreSQL", place, true);
describeIdempotency("on PostgreSQL", place);

describe("ids, timestamps and defaults on PostgreSQL", () => {
  const settings = readCollections(SETTINGS as unknown as JsonObject, "id", "standin.json");

  test("are those of memory", async () => {
    const clock = createClock();
    const completions = createCompletions(settings, { now: clock.now, seed: SEED });
    const { store } = await storeWith(DATA, { completions });
    const own = await serveStore(store);
    const said = await transcript((line, options) => askAt(own.url, line, options), clock);
    await own.close();
    expect(said).toEqual(await expectedTranscript());
  });

  test("ids of several processes never collide, and many texts take few round trips", async () => {
    const completions = createCompletions(settings, { now: Date.now, seed: undefined });
    const { store, schema } = await storeWith({ ...DATA, texts: [{ id: "a" }] }, { completions });
    const second = await createStore({ schema, completions });
    const create = (collection: string) => (one: typeof store) =>
      one.apply({ kind: "create", collection, bodies: Array.from({ length: 50 }, () => ({})) });
    for (const name of ["orders", "numbers", "times", "texts"]) {
      const changes = await Promise.all([store, second.store, store, second.store].map(create(name)));
      const ids = changes.flatMap(({ edits }) => edits.map(({ after }) => (after!.value as { id: unknown }).id));
      expect(new Set(ids).size).toBe(200);
      if (name === "numbers") expect(ids.toSorted((a, b) => Number(a) - Number(b)).at(-1)).toBe(200);
    }
    await second.close();
  });
});

test("random batches do what a model does, one request after the other", async () => {
  await opened.store.data.replace(incomingMembers(MODEL_START), true);
  await checkBatches((line, options) => askAt(served.url, line, options), { runs: 15, seed: 2 });
});

test("overlapping batches of two processes keep the sum of all accounts", async () => {
  const accounts = Array.from({ length: 5 }, (_, at) => ({ id: at + 1, money: 100 }));
  await opened.store.data.replace(incomingMembers({ log: [], accounts }), true);
  const other = await createStore({ schema: opened.schema });
  const otherServed = await serveStore(other.store);
  const urls = [served.url, otherServed.url];
  const done = await Promise.all([0, 1, 2].map((seed) => transfer(urls, { count: 5, seed })));
  const all = (await askAt(served.url, "GET /accounts")).body as { money: number }[];
  expect(all.reduce((sum, { money }) => sum + money, 0)).toBe(500);
  expect((await askAt(served.url, "GET /log")).body).toHaveLength(done.reduce((sum, count) => sum + count, 0));
  await otherServed.close();
  await other.close();
});
