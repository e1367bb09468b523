import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { MiddlewareStep } from "../../src/http/edge.ts";
import { rateLimit } from "../../src/layers/rate-limit.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { StoreEvent } from "../../src/store/store.ts";
import { askAt, codeOf, idsOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { readEvents } from "../support/event-reader.ts";
import { serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

interface Shared {
  readonly stores: readonly PostgresStore[];
  readonly urls: readonly string[];
}

/** Two servers with stores of their own on one schema, as two processes have them. */
async function startShared(
  data: JsonObject = catalog(),
  steps: (store: PostgresStore) => MiddlewareStep[] = () => [],
): Promise<Shared> {
  const first = await createStore();
  await first.store.data.replace(incomingMembers(data), true);
  const second = await createStore({ schema: first.schema });
  onTestFinished(async () => {
    await second.close();
    await first.close();
  });
  const stores = [first.store, second.store];
  const urls = await Promise.all(stores.map((store) => serve(store, steps(store))));
  return { stores, urls };
}

async function serve(store: PostgresStore, steps: MiddlewareStep[]): Promise<string> {
  const listening = await serveStore(store, {}, { steps });
  onTestFinished(listening.close);
  return listening.url;
}

describe("two processes on one database", () => {
  test("see each other's writes at once, and give the same ETags", async () => {
    const [a, b] = (await startShared()).urls as [string, string];
    const created = await askAt(a, "POST /products", { body: { name: "New" } });
    const { id } = created.body as { id: number };
    const [here, there] = [await askAt(a, `GET /products/${id}`), await askAt(b, `GET /products/${id}`)];
    expect(there.body).toEqual(here.body);
    expect(there.headers.get("etag")).toBe(created.headers.get("etag"));
    for (const path of ["/products?_limit=2", "/companies/1?_embed=products", "/db", "/stats"]) {
      const [one, other] = [await askAt(a, `GET ${path}`), await askAt(b, `GET ${path}`)];
      expect([path, other.headers.get("etag"), other.text]).toEqual([path, one.headers.get("etag"), one.text]);
      const again = await askAt(b, `GET ${path}`, { headers: { "If-None-Match": one.headers.get("etag")! } });
      expect([path, again.status]).toEqual([path, 304]);
    }
    await askAt(b, `PATCH /products/${id}`, { body: { name: "Newer" } });
    const stale = await askAt(a, `PUT /products/${id}`, {
      body: { name: "Lost" },
      headers: { "If-Match": created.headers.get("etag")! },
    });
    expect([stale.status, codeOf(stale)]).toEqual([412, "RECORD_CHANGED"]);
    const list = await askAt(a, "GET /products?_limit=1", { headers: { "If-None-Match": here.headers.get("etag")! } });
    expect(list.status).toBe(200);
  });

  test("tell of changes in the order of the ids that were given, long ones among short ones", async () => {
    const { urls } = await startShared();
    const changes = async (url: string): Promise<{ edits: { id: number }[] }[]> =>
      ((await askAt(url, "GET /__changes")).body as { changes: { edits: { id: number }[] }[] }).changes;
    // A process that is asked for the first time begins to listen, and tells the others so.
    await Promise.all(urls.map(changes));
    const bodies = Array.from({ length: 24 }, (_, at) => ({ name: at % 2 === 0 ? "x".repeat(30_000) : "short" }));
    const made = await Promise.all(
      bodies.map((body, at) => askAt(urls[at % urls.length]!, "POST /products", { body })),
    );
    const ids = made.map(({ body }) => (body as { id: number }).id).sort((a, b) => a - b);
    for (const url of urls) {
      const told = async (): Promise<number[]> =>
        (await changes(url)).flatMap(({ edits }) => edits.map(({ id }) => id)).filter((id) => id >= ids[0]!);
      await expect.poll(told).toEqual(ids);
    }
  });

  test("assign every id once, whichever process creates the record", async () => {
    const { urls } = await startShared({ things: [{ id: 7 }] });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) => askAt(urls[number % 2]!, "POST /things", { body: { number } })),
    );
    const ids = answers.map(({ body }) => (body as { id: number }).id).sort((x, y) => x - y);
    expect(ids).toEqual(Array.from({ length: 60 }, (_, number) => number + 8));
  });

  test("take over other data at once: a snapshot restored, a reset, a collection that was not there before", async () => {
    const { urls, stores } = await startShared();
    const [a, b] = urls as [string, string];
    const saved = await askAt(a, "POST /__snapshots__", { body: { name: "before" } });
    expect(saved.status).toBe(201);
    await askAt(b, "DELETE /products/1");
    await stores[0]!.swap({ planets: [{ id: 1 }], profile: { a: 1 } });
    expect((await askAt(b, "GET /planets")).body).toEqual([{ id: 1 }]);
    expect((await askAt(b, "GET /profile")).body).toEqual({ a: 1 });
    expect(codeOf(await askAt(b, "GET /products/1"))).toBe("COLLECTION_NOT_FOUND");
    expect((await askAt(a, "GET /__snapshots__")).body).toEqual((await askAt(b, "GET /__snapshots__")).body);
    expect((await askAt(b, "PUT /__snapshots__/before")).body).toMatchObject({
      counts: { products: catalog().products.length },
    });
    expect((await askAt(a, "GET /products/1")).status).toBe(200);
    await askAt(b, "DELETE /products/1");
    expect((await askAt(a, "POST /__reset")).status).toBe(200);
    expect((await askAt(b, "GET /db")).body).toEqual(catalog());
    expect((await askAt(b, `DELETE /__snapshots__/before`)).status).toBe(200);
    expect((await askAt(a, "GET /__snapshots__")).body).toEqual([]);
    expect(codeOf(await askAt(a, "PUT /__snapshots__/before"))).toBe("SNAPSHOT_NOT_FOUND");
  });

  test("an ETag does not outlive a reset, even if the data is the same again", async () => {
    const [a, b] = (await startShared()).urls as [string, string];
    const tag = (await askAt(a, "GET /products/1")).headers.get("etag")!;
    await askAt(b, "POST /__reset");
    expect((await askAt(a, "GET /products/1", { headers: { "If-None-Match": tag } })).status).toBe(200);
  });

  test("count requests together", async () => {
    const layer = (store: PostgresStore): MiddlewareStep[] => [
      {
        kind: "layer",
        name: "rate-limit",
        layer: rateLimit(
          { limit: 3, windowSeconds: 60 },
          {
            warn() {},
            now: Date.now,
            random: Math.random,
            wait: async () => "over",
            countTogether: (key, seconds) => store.countRequest(key, seconds),
          },
        ),
      },
    ];
    const [a, b] = (await startShared(catalog(), layer)).urls as [string, string];
    const remaining = [];
    for (const url of [a, b, a, b]) {
      const { status, headers } = await askAt(url, "GET /products/1");
      remaining.push([status, headers.get("x-ratelimit-remaining")]);
    }
    expect(remaining).toEqual([
      [200, "2"],
      [200, "1"],
      [200, "0"],
      [429, "0"],
    ]);
  });

  test("end a rate window although the clock of the database was set back by an hour", async () => {
    const { store, url, schema, close } = await createStore();
    onTestFinished(close);
    const count = (key: string): Promise<number> => store.countRequest(key, 60);
    expect([await count("late"), await count("late"), await count("other")]).toEqual([1, 2, 1]);
    const sql = postgres(url, { max: 1 });
    onTestFinished(() => sql.end());
    await sql`UPDATE ${sql(schema)}.rates SET ends_at = ends_at + interval '1 hour' WHERE key = 'late'`;
    expect([await count("late"), await count("late"), await count("other")]).toEqual([1, 2, 2]);
  });

  test("hear of each other's changes, large ones by reference", async () => {
    const { stores, urls } = await startShared({ things: [{ id: 1 }] });
    const heard: StoreEvent[] = [];
    onTestFinished(stores[1]!.subscribe((event) => heard.push(event)));
    await stores[1]!.announced();
    await askAt(urls[0]!, "POST /things", { body: { text: "x".repeat(20_000) } });
    await askAt(urls[0]!, "DELETE /things/1");
    await askAt(urls[0]!, "POST /__reset");
    await expect.poll(() => heard.length).toBe(3);
    expect(heard).toMatchObject([
      {
        kind: "change",
        change: { edits: [{ name: "things", after: { value: { id: 2, text: "x".repeat(20_000) } } }] },
      },
      { kind: "change", change: { edits: [{ name: "things", before: { value: { id: 1 } } }] } },
      { kind: "exchange" },
    ]);
    const versions = heard.map((event) => (event.kind === "change" ? event.change.version : event.version));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  test("stream the changes of all of them from each", async () => {
    const { urls } = await startShared({ things: [{ id: 1 }] });
    const reader = await readEvents(`${urls[1]}/__events`);
    onTestFinished(() => reader.close());
    await askAt(urls[0]!, "PATCH /things/1", { body: { seen: true } });
    expect((await reader.atLeast(1))[0]).toMatchObject({
      event: "change",
      data: { edits: [{ name: "things", kind: "changed", id: 1 }] },
    });
  });
});

test("a database without a baseline cannot be reset", async () => {
  const { store, close } = await createStore();
  onTestFinished(close);
  await store.swap({ things: [] });
  await expect(store.reset()).rejects.toMatchObject({ code: "RESET_UNAVAILABLE", status: 409 });
});

test("many stores may open an empty schema at once", async () => {
  const { schema, store, close } = await createStore();
  onTestFinished(close);
  const others = await Promise.all(Array.from({ length: 4 }, () => createStore({ schema })));
  const made = await Promise.all(
    others.map((other) => other.store.data.seed(() => incomingMembers({ things: [{ id: 1 }] }))),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(new Set(others.map((other) => other.store.epoch)).size).toBe(1);
  expect((await store.export()).map(({ name }) => name)).toEqual(["things"]);
  for (const other of others) await other.close();
});

test("an index that is declared later is made at the next start", async () => {
  const first = await createStore();
  onTestFinished(first.close);
  await first.store.swap({
    things: [
      { id: 1, price: 3 },
      { id: 2, price: 1 },
    ],
  });
  const second = await createStore({ schema: first.schema, indexes: { things: ["price"] } });
  onTestFinished(second.close);
  expect(second.store.indexes("things")).toContain("order of price");
  expect(idsOf(await askAt(await serve(first.store, []), "GET /things?_sort=price"))).toEqual([2, 1]);
});
