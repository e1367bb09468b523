import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { contentOf, type Store, type Trace } from "../../src/store/store.ts";
import { createStore } from "../postgres/database.ts";

/** The behaviour required of every store. */
const STORES: [kind: string, open: (data: JsonObject) => Promise<Store>][] = [
  ["memory", async (data) => new MemoryStore(State.load(structuredClone(data), "id"))],
  ["PostgreSQL", openShared],
];

/** One for all tests: other data costs less than another schema. */
let shared: ReturnType<typeof createStore> | undefined;
async function openShared(data: JsonObject): Promise<Store> {
  shared ??= createStore();
  const { store } = await shared;
  await store.swap(data);
  return store;
}
afterAll(async () => (await shared)?.close());

const shop = (): JsonObject => ({
  products: [
    { id: 1, name: "Hat", price: 5, company_id: 1 },
    { id: 2, name: "Coat", price: 50, company_id: 2 },
    { id: 4, name: "Shoe", price: 20, company_id: "1", tags: ["a", "b"] },
  ],
  companies: [{ id: 1 }, { id: 2 }],
  labels: [{ id: "red" }],
  profile: { name: "x", nested: { a: 1 } },
  $schema: "./schema.json",
});

describe.each(STORES)("the store on %s", (_kind, open) => {
  const ids = (records: readonly { value: unknown }[]): unknown[] =>
    records.map(({ value }) => (value as JsonObject).id);
  const find = (store: Store, search: string) => store.find("products", parseQuery(parseParameters(search)));
  const wholeOf = async (store: Store) =>
    Object.fromEntries((await store.export()).map((member) => [member.name, contentOf(member)]));

  test("tells what it has", async () => {
    const store = await open(shop());
    expect(store.members()).toEqual([
      { name: "products", kind: "collection", count: 3 },
      { name: "companies", kind: "collection", count: 2 },
      { name: "labels", kind: "collection", count: 1 },
      { name: "profile", kind: "singleton", count: 1 },
    ]);
    expect(["products", "profile", "$schema", "nothing"].map((name) => store.kindOf(name))).toEqual([
      "collection",
      "singleton",
      undefined,
      undefined,
    ]);
    expect(await wholeOf(store)).toEqual(shop());
    expect(JSON.stringify(await wholeOf(store))).toBe(JSON.stringify(shop()));
    expect((await store.export(1)).length).toBe(5);
  });

  test("finds by id as text", async () => {
    const store = await open(shop());
    expect((await store.get("products", "2"))?.text).toBe('{"id":2,"name":"Coat","price":50,"company_id":2}');
    expect([
      await store.get("products", "02"),
      await store.get("nothing", "1"),
      await store.get("products", ""),
    ]).toEqual([undefined, undefined, undefined]);
    expect([
      await store.keyFor("companies", "7"),
      await store.keyFor("companies", "1"),
      await store.keyFor("labels", "7"),
    ]).toEqual([7, 1, "7"]);
  });

  test("creates, replaces, merges and removes; versions only grow", async () => {
    const store = await open(shop());
    const stamps = [await store.stamp(["products"])];
    const other = await store.stamp(["companies"]);
    const created = await store.apply({
      kind: "create",
      collection: "products",
      bodies: [{ name: "a" }, { id: 9 }, { name: "b" }],
    });
    expect(created.edits.map(({ after }) => after!.value)).toEqual([
      { name: "a", id: 10 },
      { id: 9 },
      { name: "b", id: 11 },
    ]);
    stamps.push(await store.stamp(["products"]));
    const merged = await store.apply({ kind: "patch", collection: "products", id: "1", body: { price: 6, id: 77 } });
    expect(merged.edits[0]!.before!.value).toEqual({ id: 1, name: "Hat", price: 5, company_id: 1 });
    expect(merged.edits[0]!.after!.text).toBe('{"id":1,"name":"Hat","price":6,"company_id":1}');
    const replaced = await store.apply({ kind: "replace", collection: "products", id: "2", body: { x: 1 } });
    expect(replaced.edits[0]!.after!.text).toBe('{"x":1,"id":2}');
    await store.apply({ kind: "remove", collection: "products", id: "11", dependents: [] });
    const next = await store.apply({ kind: "create", collection: "products", bodies: [{}] });
    expect(next.edits[0]!.after!.value).toEqual({ id: 11 });
    expect(ids((await find(store, "")).records)).toEqual([1, 2, 4, 10, 9, 11]);
    stamps.push(await store.stamp(["products"]));
    expect(new Set(stamps).size).toBe(3);
    expect(await store.stamp(["companies"])).toBe(other);
    expect(replaced.edits[0]!.after!.version).toBeGreaterThan(merged.edits[0]!.after!.version);
  });

  test("a batch of creations is all or nothing, and refusals name their reason", async () => {
    const store = await open(shop());
    const refused = (applied: unknown) =>
      Promise.resolve(applied).then(
        () => "done",
        (thrown: { code: string }) => thrown.code,
      );
    expect([
      await refused(store.apply({ kind: "create", collection: "products", bodies: [{}, { id: 1 }] })),
      await refused(store.apply({ kind: "create", collection: "products", bodies: [{ id: "4" }] })),
      await refused(store.apply({ kind: "create", collection: "products", bodies: [{ id: { a: 1 } }] })),
      await refused(store.apply({ kind: "patch", collection: "products", id: "9", body: {} })),
      await refused(store.apply({ kind: "remove", collection: "products", id: "9", dependents: [] })),
      await refused(store.apply({ kind: "create", collection: "nothing", bodies: [{}] })),
      await refused(store.apply({ kind: "replace-singleton", name: "nothing", body: {} })),
    ]).toEqual([
      "ID_TAKEN",
      "ID_TAKEN",
      "ID_INVALID",
      "RECORD_NOT_FOUND",
      "RECORD_NOT_FOUND",
      "COLLECTION_NOT_FOUND",
      "ROUTE_NOT_FOUND",
    ]);
    expect(await wholeOf(store)).toEqual(shop());
  });

  test("an expectation sees the record as it is, and stops the write", async () => {
    const store = await open(shop());
    const seen: unknown[] = [];
    const expectation = (current: { value: unknown }): void => {
      seen.push(current.value);
      throw new Error("not so");
    };
    await expect(
      store.apply({ kind: "patch", collection: "products", id: "1", body: { price: 1 }, expect: expectation }),
    ).rejects.toThrow();
    expect(seen).toEqual([{ id: 1, name: "Hat", price: 5, company_id: 1 }]);
    expect(await wholeOf(store)).toEqual(shop());
  });

  test("many writes at once are each done once", async () => {
    const store = await open({ things: [{ id: 1, n: 0 }] });
    const created = await Promise.all(
      Array.from({ length: 50 }, () => store.apply({ kind: "create", collection: "things", bodies: [{}] })),
    );
    expect(created.map(({ edits }) => (edits[0]!.after!.value as JsonObject).id)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 2),
    );
    await Promise.all(
      created.map(({ edits }, at) =>
        store.apply({
          kind: "patch",
          collection: "things",
          id: String((edits[0]!.after!.value as JsonObject).id),
          body: { at },
        }),
      ),
    );
    await Promise.all(
      created.slice(0, 25).map(({ edits }) =>
        store.apply({
          kind: "remove",
          collection: "things",
          id: String((edits[0]!.after!.value as JsonObject).id),
          dependents: [],
        }),
      ),
    );
    const { things } = (await wholeOf(store)) as { things: JsonObject[] };
    expect(things.map(({ id, at }) => [id, at])).toEqual([
      [1, undefined],
      ...Array.from({ length: 25 }, (_, at) => [at + 27, at + 25]),
    ]);
  });

  test("removes dependents that are named, whatever the type of their key", async () => {
    const store = await open(shop());
    await store.apply({
      kind: "remove",
      collection: "companies",
      id: "1",
      dependents: [{ collection: "products", key: "company_id" }],
    });
    expect([ids((await find(store, "")).records), store.kindOf("companies")]).toEqual([[2], "collection"]);
  });

  test("finds what refers to a record, by text", async () => {
    const store = await open(shop());
    const groups = await store.related("products", { field: "company_id", isList: false }, new Set(["1", "3"]));
    expect([...groups].map(([key, records]) => [key, ids(records)])).toEqual([["1", [1, 4]]]);
    expect(
      (await store.related("companies", { field: "id", isList: false }, new Set(["2"]))).get("2")![0]!.value,
    ).toEqual({ id: 2 });
    expect((await store.related("nothing", { field: "id", isList: false }, new Set(["2"]))).size).toBe(0);
  });

  test("singletons are replaced and merged", async () => {
    const store = await open(shop());
    await store.apply({ kind: "patch-singleton", name: "profile", body: { nested: 1 } });
    expect((await store.singleton("profile"))?.text).toBe('{"name":"x","nested":1}');
    await store.apply({ kind: "replace-singleton", name: "profile", body: { z: 1 } });
    expect((await store.singleton("profile"))?.value).toEqual({ z: 1 });
    expect(await store.singleton("products")).toBeUndefined();
  });

  test("queries: total before the window, the stamp beside it, a plan when asked", async () => {
    const store = await open(shop());
    const trace: Trace = { steps: [], touched: 0 };
    const query = parseQuery(parseParameters("price_gte=10&_sort=price&_limit=1"));
    const found = await store.find("products", query, { stampOf: ["products", "companies"], trace });
    expect([ids(found.records), found.total, found.stamp]).toEqual([
      [4],
      2,
      await store.stamp(["products", "companies"]),
    ]);
    expect(trace.steps.length + trace.touched).toBeGreaterThan(0);
    expect((await find(store, "nmae=1")).total).toBe(3);
    expect((await store.find("nothing", query)).total).toBe(0);
  });

  test("statistics follow the data", async () => {
    const store = await open({
      products: [
        { id: 1, price: 0.1 },
        { id: 2, price: 0.2 },
        { id: 3, price: 0.3, size: 1 },
      ],
    });
    expect(JSON.stringify(await store.statistics("products"))).toBe(
      '{"count":3,"fields":{"id":{"min":1,"max":3,"mean":2},"price":{"min":0.1,"max":0.3,"mean":0.20000000000000004},"size":{"min":1,"max":1,"mean":1}}}',
    );
    await store.apply({ kind: "remove", collection: "products", id: "3", dependents: [] });
    expect((await store.statistics("products")).count).toBe(2);
  });

  test("is swapped whole, and old stamps hold no more", async () => {
    const store = await open(shop());
    const stamp = await store.stamp();
    const { epoch } = store;
    const record = (await store.get("products", "1"))!;
    await store.swap({ products: [{ id: 1, name: "Hat", price: 5, company_id: 1 }], planets: [] });
    expect(await wholeOf(store)).toEqual({ products: [{ id: 1, name: "Hat", price: 5, company_id: 1 }], planets: [] });
    expect(await store.stamp()).not.toBe(stamp);
    const again = (await store.get("products", "1"))!;
    expect(`${store.epoch}.${again.version}`).not.toBe(`${epoch}.${record.version}`);
  });
});
