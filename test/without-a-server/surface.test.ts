import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/app/create-standin.ts";
import type * as built from "../../src/app/fetch.ts";
import { builtPackage } from "../support/build.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";

const FILE = join(builtPackage(), "dist/web/fetch.js");
const { createFetch, StandinError } = (await import(FILE)) as typeof built;
const decoder = new TextDecoder();

async function openApi(options: Partial<built.FetchOptions> = {}): Promise<built.StandinFetch> {
  const api = await createFetch({ data: catalog(), ...options });
  onTestFinished(() => api.close());
  return api;
}

async function openServer(): Promise<Pick<built.StandinFetch, "fetch" | "faults">> {
  const server = await createStandin({ data: catalog() });
  onTestFinished(() => server.close());
  return { faults: server.faults, fetch: (request) => server.fetch(request) };
}

/** Status and code of an error. */
async function refusal(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { code: string }).code];
}

describe.each([
  ["createFetch", () => openApi()],
  ["createStandin", openServer],
])("the fetch of %s", (_name, open) => {
  test.each(["reset", "empty-reply"] as const)("rejects where the fault %s drops the connection", async (fault) => {
    const { fetch, faults } = await open();
    faults.add({ fault, count: 1 });
    const message = `The fault "${fault}" dropped the connection of GET /products on purpose.`;
    const dropped = { name: "StandinError", code: "FAULT_ON_DEMAND", message };
    await expect(fetch(new Request("http://localhost/products"))).rejects.toMatchObject(dropped);
  });

  test("errors the stream of a truncated body", async () => {
    const { fetch, faults } = await open();
    faults.add({ fault: "truncated-body", count: 1 });
    const response = await fetch(new Request("http://localhost/products"));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toMatchObject({ code: "FAULT_ON_DEMAND" });
  });

  test("refuses a body that has been used", async () => {
    const { fetch } = await open();
    const headers = { "Content-Type": "application/json" };
    const request = new Request("http://localhost/products", { method: "POST", headers, body: "{}" });
    await request.text();
    expect(await refusal(await fetch(request))).toEqual([400, "BODY_UNREADABLE"]);
  });

  test("ends a delay and a stream with the signal of the request", async () => {
    const { fetch } = await open();
    const left = AbortSignal.abort(new Error("The reader has left."));
    const delayed = fetch(new Request("http://localhost/products?_delay=2000000", { signal: left }));
    await expect(delayed).rejects.toThrow("The reader has left.");
    const leaving = new AbortController();
    const { body } = await fetch(new Request("http://localhost/__events", { signal: leaving.signal }));
    const reader = body!.getReader();
    await reader.read();
    leaving.abort();
    await expect(reader.read()).rejects.toThrow();
  });
});

describe("streams", () => {
  test("of requests are read as they come", async () => {
    const api = await openApi();
    const reader = (await api.fetch(new Request("http://localhost/__requests", EVENTS))).body!.getReader();
    await reader.read();
    await api.fetch("/products/1");
    let seen = "";
    while (!seen.includes("/products/1")) seen += decoder.decode((await reader.read()).value);
    await reader.cancel();
  });

  test("make room when they are cancelled", async () => {
    const api = await openApi();
    const open = () => api.fetch(new Request("http://localhost/__events", EVENTS));
    const streams = await Promise.all(Array.from({ length: 500 }, open));
    expect(await refusal(await open())).toEqual([503, "STREAM_LIMIT"]);
    await Promise.all(streams.map(({ body }) => body!.cancel()));
    expect((await open()).status).toBe(200);
  });
});

const EVENTS = { headers: { Accept: "text/event-stream" } };

describe("guards", () => {
  const reset = (origin: string, headers: HeadersInit = {}) =>
    new Request(`${origin}/__reset`, { method: "POST", headers });

  test("pages of other origins are refused", async () => {
    const api = await openApi();
    const foreign = reset("http://localhost", { Origin: "http://page.test" });
    expect((await api.fetch(foreign)).status).toBe(403);
    expect((await api.fetch(reset("http://localhost"))).status).toBe(200);
  });

  test("the host of the URL counts", async () => {
    expect(await refusal(await (await openApi()).fetch(reset("http://shop.test")))).toEqual([403, "HOST_FORBIDDEN"]);
    const known = await openApi({ allowedHosts: ["shop.test"] });
    expect((await known.fetch(reset("http://shop.test"))).status).toBe(200);
  });
});

test("a sandbox has data, faults and requests of its own", async () => {
  const api = await openApi({ base: "/api" });
  const sandbox = api.sandbox();
  await sandbox.fetch("/products/1", { method: "DELETE" });
  sandbox.faults.add({ fault: "status", status: 503, path: "/companies" });
  const inside = new Request("http://localhost/api/companies", { headers: sandbox.headers });
  expect((await api.fetch(inside)).status).toBe(503);
  expect((await api.fetch("/api/companies")).status).toBe(200);
  expect((await api.fetch("/api/products/1")).status).toBe(200);
  expect(sandbox.requests({ method: "DELETE" })).toHaveLength(1);
  await sandbox.promote();
  expect(await api.db.products!.get(1)).toBeUndefined();
});

test("a program waits for a request to come, and not for ever", async () => {
  const api = await openApi();
  const waiting = api.waitForRequest({ method: "PATCH" });
  await api.request("PATCH /products/1", { body: { price: 1 } });
  expect(await waiting).toMatchObject({ url: "/products/1", body: { price: 1 } });
  await expect(api.waitForRequest({ method: "PUT" }, { timeoutMs: 1 })).rejects.toThrow("What came: PATCH /products/1");
});

test("an instance with a name is found by a module that is loaded again", async () => {
  const folder = createFolder({ "package.json": { type: "module" } });
  cpSync(dirname(FILE), folder, { recursive: true });
  const again = (await import(join(folder, "fetch.js"))) as typeof built;
  expect(again.createFetch).not.toBe(createFetch);
  const options = { data: catalog(), name: "kept" };
  await expect(createFetch({ ...options, port: 1 } as never)).rejects.toThrow(StandinError);
  const first = await createFetch(options);
  onTestFinished(() => first.close());
  await first.db.products!.remove(1);
  const found = await again.createFetch(options);
  expect(await found.db.products!.get(1)).toBeUndefined();
});

test.each([
  ["port", 3000],
  ["host", "0.0.0.0"],
  ["bodyParser", true],
  ["validate", "on"],
  ["validateSecurity", true],
  ["allowOutsideRefs", true],
  ["bind", {}],
  ["data", "postgres://localhost/shop"],
  ["middlewares", ["../guard.cjs"]],
])("the option %s: %j is refused, with advice", async (name, value) => {
  const refused = createFetch({ data: {}, [name]: value } as never);
  const message = expect.stringMatching(
    new RegExp(`^The option "${name}" is not available in createFetch\\. [A-Z].*\\.$`),
  );
  await expect(refused).rejects.toMatchObject({ code: "OPTION_UNAVAILABLE", message });
});

test.each([
  [undefined, "createFetch needs data: createFetch({ data: { products: [] } })."],
  [{ data: {}, dealy: 5 }, 'createFetch has no option "dealy". Did you mean "delay"?'],
  [{ data: {}, onNewSead: "keep" }, 'createFetch has no option "onNewSead". Did you mean "onNewSeed"?'],
  [{ data: {}, delay: -1 }, 'createFetch: "delay" is -1; it must be a whole number from 0 to 2147483647.'],
  [{ data: {}, name: "shop", wrong: 1 }, 'createFetch has no option "wrong".'],
])("createFetch(%j) is refused: %s", async (options, message) => {
  await expect(createFetch(options as never)).rejects.toThrow(message);
});
