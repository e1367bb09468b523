import { expect } from "vitest";
import type { Transport } from "../support/request-corpus.ts";
import { byPage, inChromium, inChromiumAtLength, openSite, PAGE, stopWorker, workerText } from "./worker-site.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const DATA = {
  products: [
    { id: 1, name: "Hat" },
    { id: 2, name: "Cap" },
  ],
  settings: { theme: "dark" },
};
const SHOP = `{ data: ${JSON.stringify(DATA)}, base: "/api", name: "shop", persist: "indexeddb" }`;

/** Requests to the main data and to a sandbox of a page whose worker can be ended. */
async function openShop() {
  const page = await (await openSite(SHOP)).open();
  const send = byPage(page);
  const json = async (line: string, body?: object): Promise<unknown> =>
    JSON.parse((await send(line, JSON_TYPE, body && JSON.stringify(body))).body);
  return {
    send,
    json,
    inSandbox: (name: string) => byPage(page, `/api/__sandbox/${name}`),
    end: () => stopWorker(page),
  };
}

async function bodiesOf(send: Transport, paths: readonly string[]): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { headers, body } = await send(`GET ${path}`, {});
      return `${headers.get("etag")} ${body}`;
    }),
  );
}

const PATHS = ["/db", "/products", "/products/1", "/products?_sort=name", "/settings"];

inChromium("a sandbox survives the worker, with its changes against the main data", async () => {
  const { send, json, inSandbox, end } = await openShop();
  const one = inSandbox("one");
  await one("POST /products", JSON_TYPE, '{"name":"Mine","price":12345678901234567890}');
  await one("DELETE /products/2", {});
  // The main data goes on, and everything of it can be replaced.
  await send("PATCH /api/products/1", JSON_TYPE, '{"name":"Top hat"}');
  await send("DELETE /api/products/2", {});
  await send("POST /api/products", JSON_TYPE, '{"name":"Scarf"}');
  const two = inSandbox("two");
  await two("PATCH /settings", JSON_TYPE, '{"theme":"two"}');
  await json("POST /api/__collections", { name: "orders" });
  await send("DELETE /api/__collections/settings", {});
  await send("POST /api/__reset", {});
  await send("PATCH /api/settings", JSON_TYPE, '{"theme":"new"}');
  const state = async (): Promise<unknown> => [
    await bodiesOf(one, PATHS),
    await bodiesOf(two, PATHS),
    await json("GET /api/__sandboxes/one/changes"),
    await json("GET /api/__sandboxes/two/changes"),
    await bodiesOf(byApi(send), PATHS),
  ];
  const before = await state();
  await end();
  expect(await state()).toEqual(before);
  expect(JSON.stringify(before)).toContain("12345678901234567890");
  // It goes on: with what can be undone, and back to what it began with.
  expect(await json("POST /api/__sandboxes/one/undo")).toMatchObject({ left: 1 });
  await end();
  expect(JSON.parse((await one("GET /products", {})).body)).toHaveLength(3);
  await json("POST /api/__sandboxes/one/reset");
  await end();
  expect(JSON.parse((await one("GET /products", {})).body)).toEqual(DATA.products);
});

function byApi(send: Transport): Transport {
  return (line, headers, body) => send(line.replace(" /", " /api/"), headers, body);
}

inChromiumAtLength("a sandbox of a snapshot, an empty one and a promoted one survive the worker", async () => {
  const { send, json, inSandbox, end } = await openShop();
  await json("POST /api/__snapshots__", { name: "start" });
  await send("DELETE /api/products/1", {});
  await json("POST /api/__sandboxes", { name: "saved", from: { snapshot: "start" } });
  await json("POST /api/__sandboxes", { name: "bare", from: "empty" });
  const [saved, bare, promoted] = ["saved", "bare", "promoted"].map(inSandbox) as [Transport, Transport, Transport];
  await saved("PATCH /products/1", JSON_TYPE, '{"name":"Saved"}');
  await bare("POST /products", JSON_TYPE, '{"name":"First"}');
  await bare("POST /__collections", JSON_TYPE, '{"name":"orders"}');
  await promoted("POST /products", JSON_TYPE, '{"name":"Promoted"}');
  await json("POST /api/__sandboxes/promoted/promote");
  await promoted("POST /products", JSON_TYPE, '{"name":"Later"}');
  const state = async (): Promise<unknown> => [
    await bodiesOf(saved, PATHS),
    await bodiesOf(bare, PATHS),
    await bodiesOf(promoted, PATHS),
    await json("GET /api/__sandboxes/promoted/changes"),
    ((await json("GET /api/__sandboxes")) as { sandboxes: { name: string }[] }).sandboxes.map(({ name }) => name),
  ];
  const before = await state();
  await end();
  expect(await state()).toEqual(before);
  await json("POST /api/__sandboxes/saved/reset");
  await send("DELETE /api/__sandboxes/bare", {});
  await end();
  expect(JSON.parse((await saved("GET /products", {})).body)).toEqual(DATA.products);
  expect((await send("GET /api/__sandboxes/bare", {})).status).toBe(404);
});

inChromiumAtLength("receipts and events of a sandbox survive the worker", async () => {
  const { json, inSandbox, end } = await openShop();
  const one = inSandbox("one");
  const key = { ...JSON_TYPE, "Idempotency-Key": "a" };
  const made = await one("POST /products", key, '{"name":"Once"}');
  const { changes } = JSON.parse((await one("GET /__changes", {})).body) as { changes: { version: number }[] };
  await one("DELETE /products/1", {});
  await json("POST /api/__sandboxes/one/undo");
  const before = (await one("GET /__changes", {})).body;
  await end();
  expect((await one("POST /products", key, '{"name":"Once"}')).body).toBe(made.body);
  const withoutTime = (text: string): string => text.replace(/"time":"[^"]*"/g, "");
  expect(withoutTime((await one("GET /__changes", {})).body)).toBe(withoutTime(before));
  const missed = await one(`GET /__changes?after=${changes[0]?.version}`, {});
  expect(JSON.parse(missed.body).changes).toMatchObject([
    { edits: [{ kind: "removed", id: 1 }] },
    { edits: [{ kind: "created", id: 1 }] },
  ]);
});

inChromiumAtLength("snapshots survive the worker", async () => {
  const { send, json, inSandbox, end } = await openShop();
  await json("POST /api/__snapshots__", { name: "start" });
  await inSandbox("one")("DELETE /products/1", {});
  await inSandbox("one")("POST /__snapshots__", JSON_TYPE, '{"name":"less"}');
  await send("DELETE /api/products/2", {});
  const listed = (await send("GET /api/__snapshots__", {})).body;
  const compared = await json("GET /api/__snapshots__/start/comparison");
  await end();
  expect((await send("GET /api/__snapshots__", {})).body).toBe(listed);
  expect(JSON.parse(listed)).toMatchObject(
    [{ id: /-less$/ }, { id: /-start$/ }].map(({ id }) => ({ id: expect.stringMatching(id) })),
  );
  expect(await json("GET /api/__snapshots__/start/comparison")).toEqual(compared);
  expect(await json("GET /api/__snapshots__/less")).toMatchObject({ products: [DATA.products[1]] });
  await json("PUT /api/__snapshots__/start");
  await send("DELETE /api/__snapshots__/less", {});
  await end();
  expect(await json("GET /api/products")).toEqual(DATA.products);
  expect((await send("GET /api/__snapshots__/less", {})).status).toBe(404);
});

inChromiumAtLength("two workers do not overwrite each other's changes of a sandbox", async () => {
  const site = await openSite(SHOP, "/a/");
  site.files.set("/b/sw.js", workerText(SHOP)).set("/b/", PAGE);
  const page = await site.open();
  const one = byPage(page, "/a/api/__sandbox/one");
  expect((await one("POST /products", {})).status).toBe(201);
  const other = byPage(await site.open("/b/"), "/b/api/__sandbox/one");
  expect((await other("POST /products", {})).status).toBe(201);
  const outdated = await one("POST /products", {});
  expect([outdated.status, JSON.parse(outdated.body).code]).toEqual([503, "STORE_UNAVAILABLE"]);
  expect((await one("POST /products", {})).status).toBe(201);
  const all = (await one("GET /products", {})).body;
  expect((JSON.parse(all) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  await stopWorker(page);
  expect((await other("GET /products", {})).body).toBe(all);
});
