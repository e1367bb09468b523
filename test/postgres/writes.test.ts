import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { readCollections } from "../../src/config/collections.ts";
import { createCompletions } from "../../src/store/completion.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { type Answer, askAt, codeOf } from "../support/api.ts";
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
describeBatches("on PostgreSQL", place);
describeIdempotency("on PostgreSQL", place);

/** More servers with stores of their own on the same data, as other processes have them. */
async function othersOf(count: number): Promise<string[]> {
  const stores = await Promise.all(Array.from({ length: count }, () => createStore({ schema: opened.schema })));
  const servers = await Promise.all(stores.map(({ store }) => serveStore(store)));
  onTestFinished(async () => {
    for (const server of servers) await server.close();
    for (const store of stores) await store.close();
  });
  return servers.map(({ url }) => url);
}

test("20 upserts of one key at once, at 4 stores as 4 processes have them, make one record", async () => {
  await opened.store.reset();
  const urls = [served.url, ...(await othersOf(3))];
  const headers = { Prefer: "resolution=merge-duplicates" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      askAt(urls[at % 4]!, "POST /products?_on=sku", { body: { sku: "one", at }, headers }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
  expect((await askAt(served.url, "GET /products?sku=one")).body).toHaveLength(1);
});

describe("Idempotency-Key over several processes", () => {
  const isReplayed = ({ headers }: Answer): boolean => headers.get("idempotency-replayed") === "true";
  const send = (url: string, key: string, body: unknown): Promise<Answer> =>
    askAt(url, "POST /products", { body, headers: { "Idempotency-Key": key } });

  test("20 at once at 4 of them are carried out once; another body is refused everywhere", async () => {
    await opened.store.reset();
    const urls = [served.url, ...(await othersOf(3))];
    const at = (index: number): string => urls[index % urls.length]!;
    for (const round of [1, 2, 3]) {
      const body = { name: `Round ${round}` };
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(at(index), `r${round}`, body)));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]!.status).toBe(201);
      expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
      expect((await askAt(at(round), `GET /products?name=Round ${round}`)).body).toHaveLength(1);
      expect(codeOf(await send(at(round), `r${round}`, { name: "Other" }))).toBe("IDEMPOTENCY_MISMATCH");
    }
    // Whichever is first: the others are told that theirs is another request.
    const mixed = await Promise.all(urls.map((url, index) => send(url, "mixed", { index })));
    expect(mixed.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    // Carried out by none: all of them are refused alike, by the first refusal.
    const refused = await Promise.all(urls.map((url) => send(url, "refused", { id: 1 })));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
    expect(isReplayed(await send(at(2), "refused", { id: 1 }))).toBe(true);
    await askAt(at(1), "POST /__reset");
    expect(isReplayed(await send(at(2), "r1", { name: "Round 1" }))).toBe(false);
  });

  test("a database of the version before gets the table; the newest 10,000 stay", async () => {
    const sql = postgres(opened.url, { max: 1, onnotice: () => {}, connection: { search_path: opened.schema } });
    onTestFinished(() => sql.end());
    await sql`DROP TABLE receipts, history, unhooked, jobs, lanes, clock, sandboxes, copies`;
    await sql`UPDATE meta SET value = '2' WHERE key = 'version'`;
    const [url] = (await othersOf(1)) as [string];
    expect(isReplayed(await send(url, "first", { name: "New" }))).toBe(false);
    expect(isReplayed(await send(served.url, "first", { name: "New" }))).toBe(true);
    await sql`INSERT INTO receipts (key, request, made_at, response)
      SELECT 'key ' || n, '', ${Date.now()}, '{"status":201}' FROM generate_series(1, 9999) AS n`;
    expect(isReplayed(await send(url, "first", { name: "New" }))).toBe(true);
    expect(isReplayed(await send(url, "last", { name: "New" }))).toBe(false);
    expect(isReplayed(await send(url, "first", { name: "New" }))).toBe(false);
    const [{ count }] = (await sql`SELECT count(*)::int FROM receipts`) as unknown as [{ count: number }];
    expect(count).toBe(10_000);
  });
});

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
  await checkBatches((line, options) => askAt(served.url, line, options), { runs: 10, seed: 2 });
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
