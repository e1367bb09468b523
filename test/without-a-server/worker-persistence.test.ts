import { expect } from "vitest";
import { byPage, inChromium, openSite, stopWorker, workerText } from "./worker-site.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

function shop(data: object, more = ""): string {
  return `{ data: ${JSON.stringify(data)}, base: "/api", name: "shop", persist: "indexeddb"${more} }`;
}

const SHOP = shop({
  products: [
    { id: 1, name: "Hat" },
    { id: 2, name: "Cap" },
  ],
  settings: { theme: "dark" },
});

inChromium("data, ETags, event ids and receipts survive the worker", async () => {
  const page = await (await openSite(SHOP)).open();
  const send = byPage(page);
  const untouched = (await send("GET /api/products/2", {})).headers.get("etag")!;
  const key = { ...JSON_TYPE, "Idempotency-Key": "one" };
  const made = await send("POST /api/products", key, '{"name":"Größe","price":12345678901234567890}');
  await send("PATCH /api/settings", JSON_TYPE, '{"theme":"light"}');
  await send("DELETE /api/products/1", {});
  const before = await send("GET /api/db", {});
  const tag = (await send("GET /api/products/3", {})).headers.get("etag")!;
  await stopWorker(page);
  const after = await send("GET /api/db", {});
  expect([after.body, after.headers.get("etag")]).toEqual([before.body, before.headers.get("etag")]);
  expect(after.body).toContain('"price":12345678901234567890');
  for (const [id, known] of [
    [2, untouched],
    [3, tag],
  ]) {
    expect((await send(`GET /api/products/${id}`, { "If-None-Match": String(known) })).status).toBe(304);
  }
  const repeated = await send("POST /api/products", key, '{"name":"Größe","price":12345678901234567890}');
  expect([repeated.status, repeated.body]).toEqual([made.status, made.body]);
  expect(JSON.parse((await send("GET /api/products", {})).body)).toHaveLength(2);
  expect((await send("POST /api/__reset", {})).status).toBe(200);
  await stopWorker(page);
  expect(JSON.parse((await send("GET /api/products", {})).body)).toHaveLength(2);
  expect((await send("GET /api/settings", {})).body).toContain("dark");
});

inChromium("new data keeps what was changed, unless it is to replace it", async () => {
  const site = await openSite(SHOP);
  const page = await site.open();
  const told: string[] = [];
  site.profile.on("console", (message) => told.push(message.text()));
  const send = byPage(page);
  const update = async (options: string): Promise<void> => {
    site.files.set("/sw.js", workerText(options));
    await page.evaluate(
      `navigator.serviceWorker.getRegistration().then(async (registration) => {
        const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
        await registration.update();
        await changed;
      })`,
    );
  };
  await send("GET /api/db", {});
  await update(shop({ products: [{ id: 5 }] }));
  expect((await send("GET /api/products", {})).body).toBe('[{"id":5}]');
  await send("POST /api/products", JSON_TYPE, '{"name":"Mine"}');
  await update(shop({ products: [] }));
  expect(JSON.parse((await send("GET /api/products", {})).body)).toHaveLength(2);
  await update(shop({ products: [{ id: 8 }] }, ', onNewSeed: "replace"'));
  expect((await send("GET /api/products", {})).body).toBe('[{"id":8}]');
  expect(told).toEqual([
    'standin: The data of "shop" is new; what was changed in this browser is kept.',
    'standin: The data of "shop" is new; it has replaced what was in this browser.',
  ]);
});
