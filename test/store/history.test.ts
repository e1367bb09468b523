import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { DEFAULT_HISTORY, type HistoryLimits, historyLimits } from "../../src/store/history.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { contentOf, type Store } from "../../src/store/store.ts";

let now = 1000;
const limits: HistoryLimits = { ...DEFAULT_HISTORY, clock: { now: () => now } };

beforeEach(() => {
  now = 1000;
});

function open(data: JsonObject, history: HistoryLimits = limits): MemoryStore {
  return new MemoryStore(State.load(data, "id", { history }));
}

function shop(): JsonObject {
  return { products: [1, 2, 3, 4].map((id) => ({ id, name: `P${id}` })), settings: { theme: "light" } };
}

async function databaseOf(store: Store): Promise<JsonObject> {
  return Object.fromEntries((await store.export()).map((member) => [member.name, contentOf(member)]));
}

/** The moment of a store; it has one. */
async function at(store: Store, version: number): Promise<Store> {
  const moment = await store.history?.at(version);
  if (!moment) throw new Error("no history");
  return moment;
}

const patch = (id: string, body: JsonObject) => ({ kind: "patch", collection: "products", id, body }) as const;

describe("versions", () => {
  test("each change is listed newest first, with its time, origin and counts", async () => {
    const store = open(shop());
    const first = await store.apply(patch("1", { name: "A" }), { by: "127.0.0.1" });
    now = 2000;
    const second = await store.apply(
      { kind: "remove", collection: "products", id: "2", dependents: [] },
      { by: "eve" },
    );
    expect(await store.history?.list({ limit: 10 })).toEqual({
      versions: [
        {
          version: second.version,
          time: 2000,
          by: "eve",
          kind: "change",
          counts: { products: { created: 0, updated: 0, removed: 1 } },
          isKept: true,
        },
        {
          version: first.version,
          time: 1000,
          by: "127.0.0.1",
          kind: "change",
          counts: { products: { created: 0, updated: 1, removed: 0 } },
          isKept: true,
        },
      ],
    });
    const found = await store.history?.find(first.version);
    expect(found?.edits.map(({ before, after }) => [before?.value, after?.value])).toEqual([
      [
        { id: 1, name: "P1" },
        { id: 1, name: "A" },
      ],
    ]);
  });

  test("a list is filtered by collection, id, origin and time, and goes on with `next`", async () => {
    const store = open(shop());
    for (const id of ["1", "2", "1", "3"]) {
      await store.apply(patch(id, { at: now }), { by: id === "1" ? "ann" : "bob" });
      now += 1000;
    }
    await store.apply({ kind: "patch-singleton", name: "settings", body: { theme: "dark" } });
    const listed = async (query: object) =>
      (await store.history?.list({ limit: 10, ...query }))?.versions.map((one) => one.version);
    const [settings, third, again, second, first] = (await listed({})) ?? [];
    expect(await listed({ collection: "products" })).toEqual([third, again, second, first]);
    expect(await listed({ collection: "products", id: "1" })).toEqual([again, first]);
    expect(await listed({ collection: "settings" })).toEqual([settings]);
    expect(await listed({ by: "bob" })).toEqual([third, second]);
    expect(await listed({ since: 3000 })).toEqual([settings, third, again]);
    const page = await store.history?.list({ limit: 2 });
    expect(page?.next).toBe(third);
    expect(await listed({ limit: 2, before: page?.next })).toEqual([again, second]);
    expect(await store.history?.list({ limit: 2, before: second ?? 0 })).not.toHaveProperty("next");
  });

  test("a time means the highest version that is not later", async () => {
    const store = open(shop());
    const start = store.history?.oldest ?? 0;
    now = 2000;
    const { version } = await store.apply(patch("1", { a: 1 }));
    expect(await store.history?.versionAt(1999)).toBe(start);
    expect(await store.history?.versionAt(2000)).toBe(version);
    expect(await store.history?.versionAt(999)).toBe(start - 1);
  });

  test("resets, restores and edits of members are versions, too", async () => {
    const store = open(shop());
    await store.alter({ kind: "created", name: "orders", type: "collection" });
    await store.apply(patch("1", { name: "A" }));
    await store.reset({ by: "ann" });
    await store.swap({ products: [{ id: 9 }] });
    const page = await store.history?.list({ limit: 10 });
    expect(page?.versions.map(({ kind, cause, counts, members }) => ({ kind, cause, counts, members }))).toEqual([
      {
        kind: "exchange",
        cause: "restore",
        counts: { products: { created: 1, updated: 0, removed: 4 }, settings: { created: 0, updated: 0, removed: 1 } },
        members: [{ kind: "removed", name: "settings" }],
      },
      {
        kind: "exchange",
        cause: "reset",
        counts: { products: { created: 0, updated: 1, removed: 0 } },
        members: [{ kind: "removed", name: "orders" }],
      },
      {
        kind: "change",
        cause: undefined,
        counts: { products: { created: 0, updated: 1, removed: 0 } },
        members: undefined,
      },
      {
        kind: "members",
        cause: undefined,
        counts: {},
        members: [{ kind: "created", name: "orders", type: "collection" }],
      },
    ]);
  });
});

describe("moments", () => {
  test("show the data as it was, in its order and under its names, and stay so", async () => {
    const store = open(shop());
    const copies: { version: number; database: JsonObject }[] = [];
    const keep = async () => {
      copies.push({ version: store.history?.latest ?? 0, database: await databaseOf(store) });
    };
    await keep();
    await store.apply({ kind: "remove", collection: "products", id: "2", dependents: [] });
    await keep();
    await store.apply({ kind: "create", collection: "products", bodies: [{ id: 2, name: "again" }, { name: "five" }] });
    await keep();
    await store.alter({ kind: "renamed", name: "products", to: "goods" });
    await keep();
    await store.apply({ kind: "patch", collection: "goods", id: "1", body: { name: "renamed" } });
    await keep();
    await store.alter({ kind: "removed", name: "settings" });
    await keep();
    await store.alter({ kind: "created", name: "settings", type: "collection" });
    await keep();
    await store.apply({ kind: "create", collection: "settings", bodies: [{ id: "x" }] });
    await keep();
    await store.reset();
    await keep();
    await store.apply(patch("3", { name: "after" }));
    await keep();
    await store.swap({ products: [{ id: 7 }], other: { a: 1 } });
    await keep();
    await store.apply(patch("7", { name: "last" }));
    await keep();
    for (const { version, database } of [...copies, ...copies.toReversed(), ...copies]) {
      expect(JSON.stringify(await databaseOf(await at(store, version)))).toBe(JSON.stringify(database));
    }
    expect(new Set(copies.map(({ version }) => version)).size).toBe(copies.length);
  });

  test("find records by id, and refuse writes", async () => {
    const store = open(shop());
    const { version } = await store.apply({ kind: "remove", collection: "products", id: "2", dependents: [] });
    await store.apply({ kind: "create", collection: "products", bodies: [{ id: "2", name: "other" }] });
    const before = await at(store, version - 1);
    expect((await before.get("products", "2"))?.value).toEqual({ id: 2, name: "P2" });
    expect(await (await at(store, version)).get("products", "2")).toBeUndefined();
    expect((await store.get("products", "2"))?.value).toEqual({ id: "2", name: "other" });
    await expect(before.apply(patch("1", {}))).rejects.toMatchObject({ code: "HISTORY_READ_ONLY" });
    await expect(before.reset()).rejects.toMatchObject({ code: "HISTORY_READ_ONLY" });
    await expect(before.alter({ kind: "removed", name: "products" })).rejects.toMatchObject({
      code: "HISTORY_READ_ONLY",
    });
    expect(before.history).toBeUndefined();
  });

  test("have the same stamp whenever they are made, and another one than any other moment", async () => {
    const store = open(shop());
    const versions: number[] = [];
    for (let at = 0; at < 8; at++) versions.push((await store.apply(patch("1", { at }))).version);
    const stamps = async () => {
      const found: unknown[] = [];
      for (const version of versions) found.push(await (await at(store, version)).stamp(["products"]));
      return found;
    };
    const first = await stamps();
    expect(await stamps()).toEqual(first);
    expect(new Set(first).size).toBe(versions.length);
  });

  test("do not make the next write copy a collection", async () => {
    const store = open(shop());
    const { version } = await store.apply(patch("1", { name: "A" }));
    const before = store.peek().find(({ name }) => name === "products");
    await at(store, version - 1);
    await store.apply(patch("1", { name: "B" }));
    const after = store.peek().find(({ name }) => name === "products");
    expect(before?.kind === "collection" && before.records).toBe(after?.kind === "collection" && after.records);
  });

  test.each([
    ["unique ids", (at: number) => at],
    ["duplicate ids", (at: number) => at % 50],
  ])("with %s build no index, until a restore makes them the present", async (_, idOf) => {
    const products = Array.from({ length: 100 }, (_, at) => ({ id: idOf(at), size: at % 5 }));
    const store = open({ products });
    const { version } = await store.apply(patch("1", { size: 3 }));
    await store.apply(patch("2", { size: 9 }));
    const moment = await at(store, version);
    const bySize = parseQuery(parseParameters("size=3"));
    if (!(moment instanceof MemoryStore)) throw new Error("not in memory");
    expect((await moment.find("products", bySize)).total).toBe(21);
    expect(moment.indexes("products")).toEqual([]);
    await store.history?.restore(version);
    expect((await store.find("products", bySize)).total).toBe(21);
    expect(store.indexes("products")).toEqual(["equality of size"]);
  });

  test("are not confused by writes that are made while they are", async () => {
    const products = Array.from({ length: 60_000 }, (_, index) => ({ id: index + 1, n: 0 }));
    const store = open({ products, settings: {} });
    const { version } = await store.apply(patch("50000", { n: 1 }));
    const wanted = JSON.stringify(await databaseOf(store));
    await store.apply(patch("7", { n: 2 }));
    const making = store.history?.at(version);
    for (const id of ["1", "30000", "60000"]) {
      await store.apply({ kind: "remove", collection: "products", id, dependents: [] });
      await store.apply({ kind: "create", collection: "products", bodies: [{ n: 3 }] });
      await store.apply(patch("40000", { n: Number(id) }));
      await new Promise(setImmediate);
    }
    const moment = await making;
    expect(moment && JSON.stringify(await databaseOf(moment))).toBe(wanted);
    expect((await moment?.get("products", "60000"))?.value).toEqual({ id: 60_000, n: 0 });
    expect(await moment?.get("products", "60001")).toBeUndefined();
  });

  test("are refused beyond the past that is kept, and in the future", async () => {
    const store = open(shop(), { count: 3, maxBytes: 2 ** 20 });
    const versions: number[] = [];
    for (let at = 0; at < 5; at++) versions.push((await store.apply(patch("1", { at }))).version);
    const [, second = 0, third = 0, , last = 0] = versions;
    expect(store.history?.oldest).toBe(second);
    expect((await (await at(store, second)).get("products", "1"))?.value).toMatchObject({ at: 1 });
    await expect(at(store, second - 1)).rejects.toMatchObject({ code: "HISTORY_GONE" });
    await expect(at(store, last + 1)).rejects.toMatchObject({ code: "QUERY_INVALID" });
    await expect((async () => store.history?.find(second))()).rejects.toMatchObject({ code: "HISTORY_GONE" });
    await expect((async () => store.history?.find(last + 1))()).rejects.toMatchObject({ code: "VERSION_NOT_FOUND" });
    expect((await store.history?.find(third))?.version).toBe(third);
  });
});

describe("retention", () => {
  test("drops the oldest beyond its weight, but keeps the newest ten", async () => {
    const store = open(shop(), { count: 100, maxBytes: 10_000 });
    for (let at = 0; at < 30; at++) await store.apply(patch("1", { text: "x".repeat(1000), at }));
    const { versions } = (await store.history?.list({ limit: 100 })) ?? { versions: [] };
    expect(versions).toHaveLength(10);
    expect(store.history?.oldest).toBe((versions.at(-1)?.version ?? 0) - 1);
  });

  test("has exactly the latest, however many were dropped", async () => {
    const store = open(shop(), { count: 20, maxBytes: 2 ** 20 });
    for (let change = 0; change < 600; change++) {
      const { version } = await store.apply(patch("1", { change }));
      const { versions } = (await store.history?.list({ limit: 100 })) ?? { versions: [] };
      expect(versions).toHaveLength(Math.min(change + 1, 20));
      expect(versions[0]?.version).toBe(version);
      if (change < 20) continue;
      expect(store.history?.oldest).toBe(version - 20);
      expect(() => store.history?.find(version - 20)).toThrow("is gone");
    }
    const oldest = await at(store, store.history?.oldest ?? 0);
    expect((await oldest.get("products", "1"))?.value).toMatchObject({ change: 579 });
  });

  test("drops what is older than its age", async () => {
    const store = open(shop(), { maxAgeMs: 1000, maxBytes: 2 ** 20, clock: { now: () => now } });
    await store.apply(patch("1", { a: 1 }));
    now = 2500;
    await store.apply(patch("1", { a: 2 }));
    expect((await store.history?.list({ limit: 10 }))?.versions).toHaveLength(1);
  });

  test("forgets everything when it is cleared, and goes on", async () => {
    const store = open(shop());
    const { version } = await store.apply(patch("1", { a: 1 }));
    await store.history?.clear();
    expect((await store.history?.list({ limit: 10 }))?.versions).toEqual([]);
    expect(store.history?.oldest).toBe(version);
    expect((await store.apply(patch("1", { a: 2 }))).version).toBe(version + 1);
    expect((await (await at(store, version)).get("products", "1"))?.value).toMatchObject({ a: 1 });
  });

  test("reads a number of versions or of days", () => {
    expect(historyLimits("1000")).toEqual(DEFAULT_HISTORY);
    expect(historyLimits("20000")).toMatchObject({ count: 20_000, maxBytes: 20_000 * 8192 });
    expect(historyLimits("30d")).toMatchObject({ maxAgeMs: 30 * 86_400_000 });
    for (const text of ["", "0", "-1", "1.5", "3w", "off"]) expect(historyLimits(text)).toBeUndefined();
  });
});

describe("back again", () => {
  test("a restore is a new version, and can itself be taken back", async () => {
    const store = open(shop());
    const start = store.history?.latest ?? 0;
    const first = JSON.stringify(await databaseOf(store));
    await store.apply({ kind: "remove", collection: "products", id: "2", dependents: [] });
    await store.apply({ kind: "create", collection: "products", bodies: [{ name: "new" }] });
    const changed = JSON.stringify(await databaseOf(store));
    const { latest = 0 } = store.history ?? {};
    await store.history?.restore(start, { by: "ann" });
    expect(JSON.stringify(await databaseOf(store))).toBe(first);
    expect(store.history?.latest).toBe(latest + 1);
    expect((await store.history?.list({ limit: 1 }))?.versions[0]).toMatchObject({ by: "ann", cause: "restore" });
    await store.apply(patch("2", { name: "written after" }));
    await store.history?.restore(latest);
    expect(JSON.stringify(await databaseOf(store))).toBe(changed);
    expect(JSON.stringify(await databaseOf(await at(store, start)))).toBe(first);
  });

  test("removed records return under their ids, in their places, all or none", async () => {
    const store = open(shop());
    const removed = await store.apply({
      kind: "transaction",
      members: ["products"],
      *run(data) {
        for (const id of ["2", "4"]) yield* data.apply({ kind: "remove", collection: "products", id, dependents: [] });
      },
    });
    const back = (records: typeof removed.edits) => ({
      kind: "transaction" as const,
      members: ["products"],
      *run(data: import("../../src/store/store.ts").Transaction) {
        for (const { before } of records) {
          if (before) yield* data.apply({ kind: "return", collection: "products", record: before });
        }
      },
    });
    await store.apply({ kind: "create", collection: "products", bodies: [{ id: 9 }] });
    await store.apply(back(removed.edits), { cause: "revert" });
    const ids = (await databaseOf(store)).products as JsonObject[];
    expect(ids.map(({ id }) => id)).toEqual([1, 2, 3, 4, 9]);
    expect((await store.get("products", "2"))?.value).toEqual({ id: 2, name: "P2" });
    await expect(store.apply(back(removed.edits))).rejects.toMatchObject({ code: "ID_TAKEN" });
  });
});
