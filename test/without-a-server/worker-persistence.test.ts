import type { Page } from "playwright-core";
import { expect } from "vitest";
import { limit } from "../support/limits.ts";
import { IS_SOAK } from "../support/soak.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import {
  byPage,
  inChromium,
  inChromiumAtLength,
  killWorkers,
  openSite,
  PAGE,
  stopWorker,
  untilKept,
  type WorkerSite,
  workerText,
} from "./worker-site.ts";

const [WRITES, WRITES_PER_KILL] = IS_SOAK ? [1000, 20] : [10, 5];
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

/** Gives a site another worker, and waits until a page has it. The browser may look for it by itself, too. */
async function updateWorker({ files }: WorkerSite, page: Page, text: string): Promise<void> {
  await page.evaluate("globalThis.former = navigator.serviceWorker.controller, 0");
  files.set("/sw.js", text);
  // An update may join one that the browser began before there was anything new, so one is not enough.
  const look = `navigator.serviceWorker.getRegistration().then(async (registration) => {
    await registration.update().catch(() => {});
    const { controller } = navigator.serviceWorker;
    if (controller !== former) return controller?.state;
    return registration.waiting ? "waiting" : "former";
  })`;
  const controller = async (): Promise<unknown> => {
    const found = await page.evaluate(look);
    // Browsers let it wait for minutes behind a worker that has met requests meanwhile, until that one ends.
    if (found === "waiting") await killWorkers(page);
    return found;
  };
  await expect.poll(controller, { timeout: limit(20_000), interval: 500 }).toBe("activated");
}

inChromiumAtLength("new data keeps what was changed, unless it is to replace it", async () => {
  const site = await openSite(SHOP);
  const page = await site.open();
  const told: string[] = [];
  site.profile.on("console", (message) => told.push(message.text()));
  const send = byPage(page);
  const update = (options: string): Promise<void> => updateWorker(site, page, workerText(options));
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

/** Sends records one after the other; resolves to the ids of those that were acknowledged. */
async function writeMany(page: Page, path: string, count: number): Promise<number[]> {
  await startWriting(page, path, count);
  return stopWriting(page, count);
}

/**
 * Begins to write. A request that fails is repeated until it is acknowledged, and must not count twice. Chromium may leave
 * the body of a response open for ever when the worker that sent it is killed: such a request has failed, too. Each try
 * waits twice as long as the one before, as nobody knows how busy the machine is, but not longer than a few seconds: a
 * write that was only slow is done by then, and its key gets the response.
 */
async function startWriting(page: Page, path: string, most = 1e9): Promise<void> {
  await page.evaluate(
    `{
      Object.assign(globalThis, { ids: [], most: ${most} });
      const write = async (key, wait = 500) => {
        try {
          const response = await fetch("${path}", { method: "POST", headers: { "Idempotency-Key": key }, signal: AbortSignal.timeout(wait) });
          if (response.status === 201) return (await response.json()).id;
        } catch {}
        return write(key, Math.min(wait * 2, 4000));
      };
      globalThis.writing = (async () => {
        while (ids.length < most) ids.push(await write(crypto.randomUUID()));
        return ids;
      })();
    } 0`,
  );
}

/** Waits until a page has written so many records; returns the ids of all. */
async function stopWriting(page: Page, count: number): Promise<number[]> {
  return (await page.evaluate(`most = ${count}; writing`)) as number[];
}

async function idsAt(page: Page, path: string): Promise<number[]> {
  return (JSON.parse((await byPage(page)(`GET ${path}`, {})).body) as { id: number }[]).map(({ id }) => id);
}

/** Tells the server of each write that a worker has begun: one that ends under a write is told the write again. */
const NOTING = `
  self.addEventListener("fetch", ({ request }) => {
    if (request.method === "POST") fetch("/begun/" + request.headers.get("Idempotency-Key"));
  });
`;

inChromium("a worker that is killed under writes of three tabs has every acknowledged one, once", async () => {
  const site = await openSite(SHOP);
  site.files.set("/sw.js", NOTING + workerText(SHOP));
  const tabs = [await site.open(), await site.open(), await site.open()];
  const observer = await site.open();
  for (const tab of tabs) await startWriting(tab, "/api/products");
  const countWritten = async (): Promise<number> =>
    (await Promise.all(tabs.map((tab) => tab.evaluate("ids.length")))).reduce<number>(
      (sum, one) => sum + Number(one),
      0,
    );
  const countRepeated = (): number => {
    const begun = site.asked.filter((path) => path.startsWith("/begun/"));
    return begun.length - new Set(begun).size;
  };
  let kills = 0;
  // A kill that meets a write takes many; the soak waits for one.
  for (let written = 0; written < WRITES || (IS_SOAK && countRepeated() === 0); kills++) {
    const target = written + WRITES_PER_KILL;
    const reached = async (): Promise<boolean> => {
      written = await countWritten();
      return written >= target;
    };
    await expect.poll(reached, { timeout: limit(60_000) }).toBe(true);
    await killWorkers(observer);
  }
  const acknowledged = (await Promise.all(tabs.map((tab) => stopWriting(tab, 0)))).flat();
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(sorted(await idsAt(observer, "/api/products"))).toEqual(sorted([1, 2, ...acknowledged]));
  tellNumbers(
    `${kills} kills of the worker, which have met ${countRepeated()} writes; ${acknowledged.length} writes acknowledged, ` +
      "none lost and none done twice.",
  );
});

function sorted(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}

inChromiumAtLength("a tab in the background gets responses when the worker has ended", async () => {
  const site = await openSite(SHOP);
  const hidden = await site.open();
  await (await site.open()).bringToFront();
  await stopWorker(hidden);
  expect((await byPage(hidden)("GET /api/products/1", {})).status).toBe(200);
});

inChromiumAtLength("two workers on the same data do not overwrite each other", async () => {
  const site = await openSite(SHOP, "/a/");
  site.files.set("/b/sw.js", workerText(SHOP)).set("/b/", PAGE);
  const [one, other] = [await site.open(), await site.open("/b/")];
  const made = await Promise.all([writeMany(one, "/a/api/products", 20), writeMany(other, "/b/api/products", 20)]);
  const last = (await writeMany(one, "/a/api/products", 1))[0]!;
  const expected = sorted([...made.flat(), 1, 2, last]);
  expect(made.flat()).toHaveLength(40);
  expect(sorted(await idsAt(one, "/a/api/products"))).toEqual(expected);
  await stopWorker(one);
  expect(sorted(await idsAt(other, "/b/api/products"))).toEqual(expected);
});

inChromiumAtLength("updates of the worker under writes lose none", async () => {
  const site = await openSite(SHOP);
  const [writer, page] = [await site.open(), await site.open()];
  const written: number[] = [];
  for (let update = 0; update < 3; update++) {
    // A browser exchanges workers only when no request is under way, so there must be an end of them.
    await startWriting(writer, "/api/products", WRITES / 6);
    await updateWorker(site, page, `${workerText(SHOP)}// ${update}`);
    written.push(...(await stopWriting(writer, WRITES / 6)));
  }
  // A page may be without a worker for a moment after the exchange; a new one waits for it.
  expect(sorted(await idsAt(await site.open(), "/api/products"))).toEqual(sorted([1, 2, ...written]));
  tellNumbers(`3 updates of the worker under ${written.length} writes, none lost and none done twice.`);
});

/** Ends every transaction that stores this text, as a browser does whose storage is full. */
const REFUSING = `
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value, key) {
    const request = put.call(this, ...(key === undefined ? [value] : [value, key]));
    if (JSON.stringify(value)?.includes("too much")) this.transaction.abort();
    return request;
  };
`;

inChromiumAtLength("where the browser stores no more, writes are refused and reads go on", async () => {
  const site = await openSite(SHOP);
  site.files.set("/sw.js", workerText(SHOP) + REFUSING);
  const page = await site.open();
  const send = byPage(page);
  const refused = await send("POST /api/products", JSON_TYPE, '{"name":"too much"}');
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([503, "STORE_UNAVAILABLE"]);
  expect(await idsAt(page, "/api/products")).toEqual([1, 2]);
  expect((await send("POST /api/products", JSON_TYPE, '{"name":"Small"}')).status).toBe(201);
  await stopWorker(page);
  expect(await idsAt(page, "/api/products")).toEqual([1, 2, 3]);
});

inChromiumAtLength("faults, requests and the changes after an event survive the worker", async () => {
  const page = await (await openSite(SHOP)).open();
  const send = byPage(page);
  await page.evaluate(`
    globalThis.seen = new Promise((resolve) => {
      const events = new EventSource("/api/__events");
      events.addEventListener("open", () => fetch("/api/products", { method: "POST" }));
      events.addEventListener("change", ({ lastEventId }) => (events.close(), resolve(lastEventId)), { once: true });
    }), 0`);
  const id = (await page.evaluate("seen")) as string;
  await send("DELETE /api/products/1", {});
  await send("POST /api/__faults", JSON_TYPE, '{"fault":"status","status":418,"path":"/products/2"}');
  expect((await send("GET /api/products/2", {})).status).toBe(418);
  const changes = (await send("GET /api/__changes", {})).body;
  await untilKept(
    page,
    (values) => values.includes('"hits":1') && values.includes("products/2") && values.includes("run"),
  );
  await stopWorker(page);
  const withoutTime = (text: string): string => text.replace(/"time":"[^"]*"/g, "");
  expect(withoutTime((await send("GET /api/__changes", {})).body)).toBe(withoutTime(changes));
  const missed = JSON.parse((await send(`GET /api/__changes?after=${id}`, {})).body).changes as { edits: object[] }[];
  expect(missed.map(({ edits }) => edits)).toMatchObject([[{ kind: "removed", id: 1 }]]);
  expect((await send("GET /api/products/2", {})).status).toBe(418);
  const { requests } = JSON.parse((await send("GET /api/__requests", {})).body) as { requests: { method: string }[] };
  expect(requests.map(({ method }) => method)).toEqual(["POST", "DELETE", "GET", "GET"]);
});

interface Stored {
  readonly version: number;
  readonly folded: number;
  readonly entries: number;
}

/** The versions that IndexedDB has, and how many changes. */
async function storedBy(page: Page): Promise<Stored> {
  return (await page.evaluate(
    `new Promise((resolve) => {
      const opening = indexedDB.open("standin:shop");
      opening.onsuccess = () => {
        const transaction = opening.result.transaction(["meta", "entries"]);
        const meta = transaction.objectStore("meta").get("data");
        const entries = transaction.objectStore("entries").count();
        transaction.oncomplete = () => resolve({ ...meta.result, entries: entries.result });
        opening.result.close();
      };
    }).then(({ version, folded, entries }) => ({ version, folded, entries }))`,
  )) as Stored;
}

inChromiumAtLength("after a rest, changes are in their collections, and stay for readers of events", async () => {
  const page = await (await openSite(SHOP)).open();
  const send = byPage(page);
  await send("PATCH /api/products/1", JSON_TYPE, '{"name":"Felt Hat"}');
  const { version } = await storedBy(page);
  await expect.poll(() => storedBy(page), { timeout: limit(20_000) }).toEqual({ version, folded: version, entries: 1 });
  await stopWorker(page);
  expect((await send("GET /api/products/1", {})).body).toContain("Felt Hat");
});

/** Timers of a second never fire: there is no rest. */
const WITHOUT_REST = `{
  const { setTimeout } = self;
  self.setTimeout = (work, ms, ...args) => (ms === 1000 ? 0 : setTimeout(work, ms, ...args));
}
`;

inChromiumAtLength(
  "a thousand changes are put into their collections without a rest, and 200 of them stay",
  async () => {
    const site = await openSite(SHOP);
    site.files.set("/sw.js", WITHOUT_REST + workerText(SHOP));
    const page = await site.open();
    await writeMany(page, "/api/products", 999);
    const { folded: before, version } = await storedBy(page);
    expect(version - before).toBe(999);
    await writeMany(page, "/api/products", 1);
    await expect
      .poll(() => storedBy(page), { timeout: limit(20_000) })
      .toEqual({ version: version + 1, folded: version + 1, entries: 200 });
    await stopWorker(page);
    expect(await idsAt(page, "/api/products")).toHaveLength(1002);
  },
);

/** Measured for people to read: nothing depends on it. */
if (process.env.STANDIN_SOAK) {
  inChromium("a worker with 10,000 records wakes", async () => {
    const products = Array.from({ length: 10_000 }, (_, at) => ({ id: at + 1, name: `Product ${at}`, price: at / 4 }));
    const page = await (await openSite(shop({ products }))).open();
    const send = byPage(page);
    expect((await send("POST /api/products", JSON_TYPE, '{"name":"New"}')).status).toBe(201);
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      await stopWorker(page);
      const took = `(async () => { const start = performance.now(); await fetch("/api/products/1"); return performance.now() - start; })()`;
      times.push(Number(await page.evaluate(took)));
    }
    tellNumbers(
      `First response of a worker with 10,000 records: ${times.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}.`,
    );
  });
}
