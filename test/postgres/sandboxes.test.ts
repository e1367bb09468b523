import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { HEADS } from "../../src/store/shared-sandboxes.ts";
import { askAt, codeOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { serveStore } from "../support/serve-store.ts";
import { testAtLength } from "../support/soak.ts";
import { createStore, storeWith } from "./database.ts";
import { compareSandboxes, oracleData } from "./sandbox-oracle.ts";

type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => ReturnType<typeof askAt>;

/** A process of its own, as far as the database can tell. */
async function serveOn(schema: string, options: Parameters<typeof serveStore>[1] = {}) {
  const { store, close: closeStore } = await createStore({ schema, history: { count: 100, maxBytes: 2 ** 20 } });
  const { url, close } = await serveStore(store, options);
  let isClosed = false;
  const stop = async () => {
    if (isClosed) return;
    isClosed = true;
    await close();
    await closeStore();
  };
  onTestFinished(stop);
  const ask: Ask = (line, body, headers = {}) => askAt(url, line, { body, headers });
  const inside: Ask = (line, body, headers = {}) => ask(line, body, { ...headers, "X-Standin-Sandbox": "ann" });
  return { store, ask, inside, stop, url };
}

async function servedTwice(data: JsonObject = catalog()) {
  const { schema } = await storeWith(data);
  return { schema, one: await serveOn(schema), two: await serveOn(schema) };
}

test("a sandbox is the same in every process, and the main data never hears of it", async () => {
  const { one, two } = await servedTwice();
  const before = (await one.ask("GET /db")).text;
  expect((await one.inside("POST /products", { name: "Glove" })).status).toBe(201);
  expect((await two.inside("PATCH /products/1", { name: "Felt Hat" })).status).toBe(200);
  expect((await one.inside("DELETE /products/2")).status).toBe(200);
  expect((await two.inside("PATCH /products/3", { name: "Shawl" })).status).toBe(200);
  const [first, second] = [await one.inside("GET /products"), await two.inside("GET /products")];
  expect(first.text).toBe(second.text);
  expect(first.headers.get("etag")).toBe(second.headers.get("etag"));
  expect(first.body).toContainEqual(expect.objectContaining({ name: "Glove" }));
  expect((await two.inside("GET /products/2")).status).toBe(404);
  for (const { ask } of [one, two]) expect((await ask("GET /db")).text).toBe(before);
  await one.ask("PATCH /products/4", { name: "Outside" });
  expect((await two.inside("GET /products/4")).text).not.toContain("Outside");
  expect((await two.ask("GET /__sandbox/bob/products/4")).text).toContain("Outside");
  const listed = (await two.ask("GET /__sandboxes")).body as { sandboxes: { name: string; changes: number }[] };
  expect(listed.sandboxes.map(({ name, changes }) => [name, changes])).toEqual([
    ["ann", 4],
    ["bob", 0],
  ]);
});

test("writes of several processes at a time all happen, also those that create the sandbox", async () => {
  const { one, two } = await servedTwice();
  const posts = Array.from({ length: 24 }, (_, at) =>
    (at % 2 ? one : two).inside("POST /products", { name: `n${at}` }),
  );
  const created = await Promise.all(posts);
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
  const ids = created.map(({ body }) => (body as { id: number }).id);
  expect(new Set(ids).size).toBe(ids.length);
  const [first, second] = [await one.inside("GET /products"), await two.inside("GET /products")];
  expect(first.text).toBe(second.text);
  for (const at of created.keys()) expect(first.text).toContain(`"n${at}"`);
  expect(first.headers.get("etag")).toBe(second.headers.get("etag"));
});

test("40 random requests in a sandbox: two processes respond as memory does", async () => {
  const { one, two } = await servedTwice(oracleData());
  await compareSandboxes([one.url, two.url], 40, 7);
});

test("collections, singletons, receipts, undo, reset and removal hold in every process", async () => {
  const { one, two } = await servedTwice({ ...catalog(), settings: { theme: "light" } });
  await one.inside("POST /__collections", { name: "notes" });
  await two.inside("PATCH /settings", { theme: "dark" });
  const key = { "Idempotency-Key": "k1" };
  const made = await one.inside("POST /notes", { text: "a" }, key);
  const repeated = await two.inside("POST /notes", { text: "a" }, key);
  expect([repeated.status, repeated.text]).toEqual([201, made.text]);
  expect((await two.inside("GET /notes")).body).toEqual([{ text: "a", id: 1 }]);
  expect((await two.ask("POST /__sandboxes/ann/undo", { count: 2 })).body).toMatchObject({ left: 1 });
  expect((await one.inside("GET /settings")).body).toEqual({ theme: "light" });
  expect((await one.inside("GET /notes")).body).toEqual([]);
  expect((await two.inside("POST /__reset")).status).toBe(200);
  expect((await one.inside("GET /notes")).status).toBe(404);
  expect((await one.inside("DELETE /products/1")).status).toBe(200);
  expect((await two.inside("GET /products/1")).status).toBe(404);
  expect((await two.ask("DELETE /__sandboxes/ann")).status).toBe(200);
  expect(codeOf(await one.ask("GET /__sandboxes/ann"))).toBe("SANDBOX_NOT_FOUND");
  expect((await one.inside("GET /products/1")).status).toBe(200);
  await one.ask("DELETE /__sandboxes");
  expect((await two.ask("GET /__sandboxes")).body).toEqual({ sandboxes: [] });
});

test("a promotion is one change for all processes, and refuses conflicts and exchanged data", async () => {
  const { one, two } = await servedTwice();
  await one.inside("PATCH /products/1", { name: "Felt Hat" });
  await two.inside("POST /products", { name: "Glove" });
  await two.ask("PATCH /products/2", { name: "Beret" });
  expect((await two.ask("POST /__sandboxes/ann/promote")).body).toMatchObject({ created: 1, changed: 1, removed: 0 });
  const nothing = { created: 0, changed: 0, removed: 0 };
  expect((await two.ask("POST /__sandboxes/ann/promote")).body).toMatchObject(nothing);
  expect((await one.ask("GET /products/1")).text).toContain("Felt Hat");
  expect((await one.inside("GET /products/2")).text).toContain("Beret");
  expect((await one.ask("GET /__sandboxes/ann/changes")).body).toMatchObject({ total: 0, conflicts: [] });
  await one.inside("PATCH /products/3", { name: "inside" });
  await one.ask("PATCH /products/3", { name: "outside" });
  const refused = await two.ask("POST /__sandboxes/ann/promote");
  expect([refused.status, codeOf(refused)]).toEqual([409, "SANDBOX_CONFLICT"]);
  expect((await two.inside("PATCH /products/4", { name: "still writable" })).status).toBe(200);
  expect((await one.ask("POST /__sandboxes/ann/promote", { conflicts: "sandbox" })).body).toMatchObject({ changed: 2 });
  expect((await two.ask("GET /products/3")).text).toContain("inside");
  await one.inside("PATCH /products/3", { name: "late" });
  await two.store.swap(catalog());
  expect((await one.ask("POST /__sandboxes/ann/promote")).text).toContain("was replaced");
});

test("collections that a sandbox created or removed are promoted, or none of them", async () => {
  const { one, two } = await servedTwice({ ...catalog(), old: [{ id: 1 }], settings: { theme: "light" } });
  await one.inside("POST /__collections", { name: "notes" });
  await one.inside("POST /notes", { text: "a" });
  await two.inside("DELETE /__collections/old");
  await two.inside("PATCH /products/1", { name: "inside" });
  await two.ask("PATCH /products/1", { name: "outside" });
  expect((await one.ask("POST /__sandboxes/ann/promote")).status).toBe(409);
  expect((await one.ask("GET /notes")).status).toBe(404);
  expect((await one.ask("GET /old")).body).toEqual([{ id: 1 }]);
  expect((await one.ask("POST /__sandboxes/ann/promote", { conflicts: "main" })).status).toBe(200);
  expect((await two.ask("GET /notes")).body).toEqual([{ text: "a", id: 1 }]);
  expect((await two.ask("GET /old")).status).toBe(404);
  expect((await two.ask("GET /products/1")).text).toContain("outside");
});

test("sandboxes outlive a process, and go with their copies of the data when they are no longer used", async () => {
  const { schema, one } = await servedTwice();
  await one.inside("PATCH /products/1", { name: "Felt Hat" });
  await one.inside("DELETE /products/2");
  await one.stop();
  const three = await serveOn(schema);
  expect((await three.inside("GET /products/1")).text).toContain("Felt Hat");
  expect((await three.inside("GET /products/2")).status).toBe(404);
  expect((await three.ask("POST /__sandboxes/ann/undo")).body).toMatchObject({ left: 1 });
  expect((await three.ask("GET /__snapshots__")).text).not.toContain("sandbox ");
  const shared = three.store.sandboxes;
  await shared.sweep(0);
  expect([...(await shared.list()).keys()]).toEqual(["ann"]);
  await shared.sweep(Date.now() + 1000);
  expect([...(await shared.list()).keys()]).toEqual([]);
  expect(await shared.read("ann")).toBeUndefined();
  expect((await three.inside("GET /products/1")).text).not.toContain("Felt Hat");
});

testAtLength("what cannot be is refused by name: too much data, a time of its own, too many", async () => {
  const { schema } = await storeWith({
    notes: Array.from({ length: 400 }, (_, id) => ({ id, text: "x".repeat(1000) })),
  });
  const small = await serveOn(schema, { sandboxMegabytes: 1, sandboxes: 1 });
  const full = await small.inside("GET /notes");
  expect([full.status, codeOf(full)]).toEqual([413, "SANDBOX_FULL"]);
  expect(full.text).toContain("--sandboxMegabytes");
  const { one, two } = await servedTwice();
  const moved = await one.inside("POST /__clock", { advance: "1h" });
  expect(codeOf(moved)).toBe("OPTION_UNAVAILABLE");
  expect(codeOf(await two.ask("GET /__sandbox/a%20b/products"))).toBe("SANDBOX_INVALID");
  const { schema: other } = await storeWith(catalog());
  const first = await serveOn(other, { sandboxes: 1 });
  const second = await serveOn(other, { sandboxes: 1 });
  await first.ask("POST /__sandboxes", { name: "ann" });
  expect(codeOf(await second.ask("GET /__sandbox/bob/products"))).toBe("SANDBOX_LIMIT");
  expect([...(await second.store.sandboxes.list()).keys()].map((name) => HEADS + name)).toEqual(["sandbox/ann"]);
});

testAtLength("agents work in a sandbox of their own", async () => {
  const { one } = await servedTwice();
  const rpc = (id: number, method: string, params: object, headers = {}) =>
    one.ask("POST /__mcp", { jsonrpc: "2.0", id, method, params }, headers);
  const clientInfo = { name: "test", version: "1" };
  const begun = await rpc(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const headers = { "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
  const call = async (name: string, args: object) => {
    const { body } = await rpc(1, "tools/call", { name, arguments: args }, headers);
    return JSON.parse((body as { result: { content: [{ text: string }] } }).result.content[0].text);
  };
  const requests = [{ method: "DELETE", path: "/products/1" }];
  const written = await call("write", { requests });
  expect(written).toMatchObject({ sandbox: expect.any(String), responses: [{ status: 200 }] });
  expect((await one.ask("GET /products/1")).status).toBe(200);
  expect(await call("sandbox", { action: "promote" })).toMatchObject({ removed: 1 });
  expect((await one.ask("GET /products/1")).status).toBe(404);
});
