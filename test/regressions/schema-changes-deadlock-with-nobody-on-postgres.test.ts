import { describe, expect, onTestFinished, test } from "vitest";
import { createStore, storeWith } from "../postgres/database.ts";
import { outsider } from "../postgres/outsider.ts";
import { askAt } from "../support/api.ts";
import { serveStore } from "../support/serve-store.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";

const DATA = { items: [{ id: 1, name: "a", ownerId: 1 }], owners: [{ id: 1 }], profile: { a: 1 } };

describe("schema changes on PostgreSQL", () => {
  test("a start that adds an index waits for a writer, and holds nothing that the writer needs", async () => {
    const { url, schema } = await storeWith(DATA);
    const { sql, tableOf, isWaitedFor } = await outsider(url, schema);
    const table = await tableOf("items");
    await sql`BEGIN`;
    await sql`SELECT FROM members WHERE name = 'items' FOR UPDATE`;
    const starting = createStore({ schema, indexes: { items: ["name"] } });
    starting.catch(() => undefined);
    await isWaitedFor();
    await sql.unsafe(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE NOWAIT`);
    await sql`COMMIT`;
    const { store, close } = await starting;
    expect(store.indexes("items")).toContain("order of name");
    await close();
  });

  test("replacing all data survives a deadlock with a reader of two tables", async () => {
    const { store, url, schema } = await storeWith(DATA);
    const { sql, tableOf, isWaitedFor } = await outsider(url, schema);
    const [items, owners] = [await tableOf("items"), await tableOf("owners")];
    await sql`BEGIN`;
    await sql.unsafe(`LOCK TABLE ${owners} IN ACCESS SHARE MODE`);
    const replacing = store.swap({ items: [{ id: 7 }] });
    replacing.catch(() => undefined);
    await isWaitedFor();
    await sql.unsafe(`LOCK TABLE ${items} IN ACCESS SHARE MODE`);
    await sql`COMMIT`;
    await replacing;
    expect(store.members()).toMatchObject([{ name: "items", count: 1 }]);
  });

  testAtLength("starts with new indexes beside writers and readers: all start, nobody gets a 5xx", async () => {
    const { store, schema } = await storeWith(DATA);
    const { url, close } = await serveStore(store);
    onTestFinished(close);
    const statuses = new Set<number>();
    let isOver = false;
    const clients = [
      "POST /items",
      "PATCH /items/1",
      "GET /owners?_embed=items",
      "GET /items?_expand=owner",
      "POST /owners",
    ];
    const working = clients.map(async (line) => {
      while (!isOver) {
        const body = line.startsWith("GET") ? {} : { body: { name: "b", ownerId: 1 } };
        statuses.add((await askAt(url, line, body)).status);
      }
    });
    for (let round = 0; round < (IS_SOAK ? 10 : 2); round++) {
      const paths = [`field${round}`, "name"];
      const started = await Promise.all(
        [0, 1].map(() => createStore({ schema, indexes: { items: paths, owners: paths } })),
      );
      for (const one of started) await one.close();
    }
    isOver = true;
    await Promise.all(working);
    expect([...statuses].filter((status) => status >= 400)).toEqual([]);
  });

  testAtLength("a singleton that is removed and created is 200 or 404 to readers and writers", async () => {
    const { store } = await storeWith(DATA);
    const { url, close } = await serveStore(store);
    onTestFinished(close);
    const statuses = new Set<number>();
    let isOver = false;
    const working = ["GET /profile", "PATCH /profile", "HEAD /profile", "GET /db"].map(async (line) => {
      while (!isOver) statuses.add((await askAt(url, line, line.startsWith("PATCH") ? { body: { a: 2 } } : {})).status);
    });
    for (let round = 0; round < (IS_SOAK ? 40 : 6); round++) {
      expect((await askAt(url, "DELETE /__collections/profile")).status).toBeLessThan(300);
      const body = { name: "profile", kind: "singleton" };
      expect((await askAt(url, "POST /__collections", { body })).status).toBe(201);
    }
    isOver = true;
    await Promise.all(working);
    expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([]);
  });
});
