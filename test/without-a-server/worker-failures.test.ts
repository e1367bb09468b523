import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { limit } from "../support/limits.ts";
import { byPage, inChromium, inChromiumAtLength, openSite, stopWorker, untilKept, workerText } from "./worker-site.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const kept = (more = ""): string =>
  `{ data: { products: [{ id: 1 }] }, base: "/api", name: "shop", persist: "indexeddb"${more} }`;

/** Holds until the page is closed. */
async function setQuota(page: Page, quotaSize: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, quotaSize });
}

inChromiumAtLength("when the storage is full, writes are refused and reads go on", async () => {
  const page = await (await openSite(kept())).open();
  const send = byPage(page);
  // Browsers remember for a while how much is left, so it is little from the beginning.
  await setQuota(page, 3_000_000);
  const made: number[] = [];
  // Browsers compress what they store.
  const write = (path: string) =>
    send(`POST ${path}`, JSON_TYPE, JSON.stringify({ name: randomBytes(400_000).toString("base64") }));
  let refused = await write("/api/products");
  for (; refused.status === 201; refused = await write("/api/products")) made.push(JSON.parse(refused.body).id);
  const expected = [{ id: 1 }, ...made.map((id) => ({ id }))];
  for (const response of [
    refused,
    await write("/api/__sandbox/one/products"),
    await send("POST /api/__snapshots__", {}),
  ]) {
    expect([response.status, JSON.parse(response.body)]).toMatchObject([
      503,
      { code: "STORE_UNAVAILABLE", message: expect.stringContaining("storage for this site is full") },
    ]);
  }
  const ids = async (path: string): Promise<unknown> => JSON.parse((await send(`GET ${path}?_fields=id`, {})).body);
  expect(made.length).toBeGreaterThan(0);
  expect([await ids("/api/products"), await ids("/api/__sandbox/one/products")]).toEqual([expected, expected]);
  await stopWorker(page);
  expect(await ids("/api/products")).toEqual(expected);
});

/** Notes the timers of a second that have fired, and how transactions are to be stored; `/api-notes` shows both. */
const NOTING = `
  const notes = { rests: 0, durabilities: [] };
  const later = self.setTimeout;
  self.setTimeout = (work, ms) => later(() => (work(), ms === 1000 && notes.rests++), ms);
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...given) {
    const begun = transaction.apply(this, given);
    if (given[0].includes("entries")) notes.durabilities.push(begun.durability);
    return begun;
  };
  self.addEventListener("fetch", (event) => {
    if (event.request.url.endsWith("/api-notes")) event.respondWith(Response.json(notes));
  });
`;

async function notesOf(page: Page): Promise<{ readonly rests: number; readonly durabilities: readonly string[] }> {
  return JSON.parse((await byPage(page)("GET /api-notes", {})).body);
}

inChromiumAtLength("a database that was deleted stays so, until something is written", async () => {
  const site = await openSite(kept());
  site.files.set("/sw.js", workerText(kept()) + NOTING);
  const page = await site.open();
  const send = byPage(page);
  const names = (): Promise<unknown> =>
    page.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))");
  await send("POST /api/products", {});
  await page.evaluate(`new Promise((resolve) => (indexedDB.deleteDatabase("standin:shop").onsuccess = resolve))`);
  await expect.poll(async () => (await notesOf(page)).rests, { timeout: limit(20_000) }).toBeGreaterThan(0);
  expect((await send("GET /api/products", {})).status).toBe(200);
  expect(await names()).toEqual([]);
  // It begins anew, and so does what is kept beside it.
  expect(JSON.parse((await send("POST /api/products", {})).body)).toEqual({ id: 2 });
  await send("POST /api/__faults", JSON_TYPE, '{"fault":"status","status":418,"path":"/products/1"}');
  await send("GET /api/products/1", {});
  await untilKept(page, (values) => values.includes('"hits":1') && values.includes("GET"));
  await stopWorker(page);
  expect((await send("GET /api/products/1", {})).status).toBe(418);
  expect(JSON.parse((await send("GET /api/products", {})).body)).toEqual([{ id: 1 }, { id: 2 }]);
});

inChromiumAtLength("writes wait for the disk where they are to survive a power loss", async () => {
  for (const [more, durability] of [
    ["", "relaxed"],
    [', durability: "disk"', "strict"],
  ] as const) {
    const site = await openSite(kept(more));
    site.files.set("/sw.js", workerText(kept(more)) + NOTING);
    const page = await site.open();
    const send = byPage(page);
    await send("GET /api/products", {});
    // A seed that is lost is stored again, so storing it never waits.
    const { durabilities: before } = await notesOf(page);
    expect((await send("POST /api/products", {})).status).toBe(201);
    const { durabilities } = await notesOf(page);
    expect(new Set(durabilities.slice(before.length))).toEqual(new Set([durability]));
  }
});

inChromium("a worker whose data could not be loaded loads it with the next request", async () => {
  const site = await openSite(`{
    data: () => fetch("/data.json").then((response) => response.ok ? response.json() : Promise.reject("no data yet")),
    base: "/api",
  }`);
  const send = byPage(await site.open());
  const refused = await send("GET /api/products/7", {});
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
    503,
    { code: "MOCK_UNAVAILABLE", message: "no data yet" },
  ]);
  site.files.set("/data.json", `{ "products": [{ "id": 7 }] }`);
  expect((await send("GET /api/products/7", {})).status).toBe(200);
});
