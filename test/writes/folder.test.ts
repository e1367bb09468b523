import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { hookBefore } from "../durability/hooks.ts";
import { databaseOf, opened } from "../durability/opened.ts";
import { asFile, dataIn, eventually, matching } from "../durability/place.ts";
import { type Answer, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { testAtLength } from "../support/soak.ts";
import { describeBatches } from "./batch-cases.ts";
import { type Place, START } from "./cases.ts";
import { describeIdempotency } from "./idempotency-cases.ts";

/** A folder with the folder `data` in it, which has a file for each member. */
function dataFolder(members: Readonly<Record<string, unknown>>): string {
  return createFolder(
    Object.fromEntries(Object.entries(members).map(([name, it]) => [`data/${name}.json`, asFile(it)])),
  );
}

let folder: string;
let store: Store;
let served: ServedStore;
beforeAll(async () => {
  folder = dataFolder(START);
  ({ store } = await opened(folder, { source: "data" }));
  served = await serveStore(store);
});
afterAll(() => served.close());

const place = (): Place => ({
  ask: (line, options) => askAt(served.url, line, options),
  reset: () => store.reset(),
});
describeBatches("on a data folder", place);
describeIdempotency("on a data folder", place);

describe("the files of a data folder", () => {
  const batch = (...requests: readonly object[]): Promise<Answer> =>
    askAt(served.url, "POST /__batch", { body: { requests } });
  const untilSaved = (of: string): Promise<unknown> => eventually(() => matching(of, /\.journal$/).length === 0);

  /** The files that a process killed now would leave. */
  async function foundNext(left: string): Promise<unknown> {
    const { store: next } = await opened(left, { source: "data" });
    const found = await databaseOf(next);
    await next.close();
    return found;
  }

  function imageOf(of: string): string {
    const image = createFolder();
    cpSync(of, image, { recursive: true });
    return image;
  }

  test("a collection that is made at run time takes part in a batch, and is a file until it is removed", async () => {
    await store.reset();
    expect((await askAt(served.url, "POST /__collections", { body: { name: "orders" } })).status).toBe(201);
    const done = await batch(
      { method: "POST", path: "/orders", body: { product: 1 }, as: "order" },
      { method: "PATCH", path: "/products?company_id=1", body: { order: "{{order.id}}" } },
      { method: "PATCH", path: "/profile", body: { latest: "{{order.id}}" } },
    );
    expect(done.status).toBe(200);
    const now = await databaseOf(store);
    expect(now).toMatchObject({ orders: [{ id: 1, product: 1 }], profile: { latest: 1 } });
    expect(await foundNext(imageOf(folder))).toEqual(now);
    await untilSaved(folder);
    expect(dataIn(folder, "data/orders.json")).toEqual(now.orders);
    expect(dataIn(folder, "data/products.json")).toEqual(now.products);
    const refused = await batch(
      { method: "DELETE", path: "/orders/1" },
      { method: "DELETE", path: "/products/1" },
      { method: "POST", path: "/products", body: { id: 2 } },
    );
    expect([refused.status, refused.body]).toMatchObject([409, { failed: 2 }]);
    expect(await databaseOf(store)).toEqual(now);
    expect((await askAt(served.url, "DELETE /__collections/orders")).status).toBe(200);
    expect((await batch({ method: "POST", path: "/orders", body: {} })).status).toBe(404);
    expect(await foundNext(imageOf(folder))).not.toHaveProperty("orders");
    await untilSaved(folder);
    expect(readdirSync(join(folder, "data"))).not.toContain("orders.json");
  });

  testAtLength("a kill between the saves of two files leaves a batch over both completely or not at all", async () => {
    const records = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, n: 0 }));
    const own = dataFolder({ notes: records, tags: records, log: [] });
    const { store: writing } = await opened(own, { source: "data" });
    const server = await serveStore(writing);
    const images: { readonly left: string; readonly acknowledged: number }[] = [];
    let acknowledged = 0;
    hookBefore("renameSync", (from) => {
      if (from.startsWith(own)) images.push({ left: imageOf(own), acknowledged });
      return false;
    });
    for (let n = 1; n <= 4; n++) {
      const key = { "Idempotency-Key": `n${n}` };
      const requests = [
        { method: "PATCH", path: `/notes?n:lt=${n}`, body: { n } },
        { method: "POST", path: "/log", body: { n } },
        {
          method: "POST",
          path: "/tags",
          body: records.map(({ id }) => ({ id, n })),
          headers: { Prefer: "resolution=merge-duplicates" },
        },
      ];
      expect((await askAt(server.url, "POST /__batch", { body: { requests }, headers: key })).status).toBe(200);
      acknowledged = n;
      await untilSaved(own);
    }
    await server.close();
    // Each save replaces three files, and the journal begins with a rename.
    expect(images.length).toBeGreaterThan(12);
    for (const { left, acknowledged: least } of images) {
      const { notes, tags, log } = (await foundNext(left)) as Record<string, { n: number }[]>;
      const numbers = new Set([...notes!, ...tags!].map(({ n }) => n));
      expect(numbers.size).toBe(1);
      const [n] = numbers;
      expect(n).toBeGreaterThanOrEqual(least);
      expect(log!.map((entry) => entry.n)).toEqual(Array.from({ length: n! }, (_, at) => at + 1));
    }
  });
});
