import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { DATA, END, runThrough } from "../features/collections/cases.ts";
import { askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

describe("collections at run time on PostgreSQL", () => {
  let stores: Awaited<ReturnType<typeof createStore>>[];
  let served: ServedStore[];
  beforeAll(async () => {
    const first = await createStore();
    await first.store.data.replace(incomingMembers(DATA), true);
    stores = [first, await createStore({ schema: first.schema })];
    served = [await serveStore(stores[0]!.store), await serveStore(stores[1]!.store)];
  });
  afterAll(async () => {
    for (const one of served) await one.close();
    for (const one of stores.toReversed()) await one.close();
  });
  const ask = (server: 0 | 1) => (line: string, options?: object) => askAt(served[server]!.url, line, options);
  const reset = () => stores[0]!.store.reset();

  test("created, renamed and removed, as in memory", async () => {
    await reset();
    await runThrough(ask(0));
    expect((await ask(1)("GET /db")).body).toEqual(END);
    await reset();
    expect((await ask(1)("GET /db")).body).toEqual(DATA);
  });

  test("other processes see it at once, and hear of it", async () => {
    await reset();
    const heard: unknown[] = [];
    const stop = stores[1]!.store.subscribe((event) => heard.push(event.kind === "members" ? event.edit : event.kind));
    await ask(0)("POST /__collections", { body: { name: "orders" } });
    expect((await ask(1)("POST /orders", { body: {} })).body).toEqual({ id: 1 });
    await ask(1)("PATCH /__collections/orders", { body: { name: "sales" } });
    expect((await ask(0)("POST /sales", { body: {} })).body).toEqual({ id: 2 });
    expect((await ask(0)("GET /sales")).body).toEqual([{ id: 1 }, { id: 2 }]);
    await ask(0)("DELETE /__collections/sales");
    await expect.poll(async () => (await ask(1)("GET /sales")).status).toBe(404);
    expect((await ask(1)("POST /sales", { body: {} })).status).toBe(404);
    const edits = () => heard.filter((one) => typeof one === "object");
    await expect.poll(edits).toEqual([
      { kind: "created", name: "orders", type: "collection" },
      { kind: "renamed", name: "orders", to: "sales" },
      { kind: "removed", name: "sales" },
    ]);
    stop();
  });

  test("racing processes create it once, and lose no record to a rename", async () => {
    await reset();
    const made = await Promise.all(
      [0, 1, 0, 1].map((at) => ask(at as 0 | 1)("POST /__collections", { body: { name: "x" } })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const racing = Array.from({ length: 20 }, (_, at) => ask((at % 2) as 0 | 1)("POST /x", { body: {} }));
    const renamed = ask(1)("PATCH /__collections/x", { body: { name: "y" } });
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    expect((await renamed).status).toBe(200);
    const kept = statuses.filter((status) => status === 201).length;
    expect(statuses.filter((status) => status === 404)).toHaveLength(20 - kept);
    expect((await ask(0)("GET /y")).body).toHaveLength(kept);
  });
});
