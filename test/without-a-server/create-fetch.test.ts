import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { http } from "msw";
import { setupServer } from "msw/node";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/app/create-standin.ts";
import type * as built from "../../src/app/fetch.ts";
import { builtPackage } from "../support/build.ts";
import { catalog } from "../support/catalog.ts";
import { byFetch, overHttp, type SeenResponse, sendCorpus } from "../support/request-corpus.ts";

const CLOCK = "2026-01-01T00:00:00.000Z";
const run = promisify(execFile);

function post(url: string, body: object = {}): Request {
  const headers = { "Content-Type": "application/json" };
  return new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
}

async function load(): Promise<typeof built> {
  return (await import(join(builtPackage(), "dist/web/fetch.js"))) as typeof built;
}

async function openApi(options: Partial<built.FetchOptions> = {}): Promise<built.StandinFetch> {
  const { createFetch } = await load();
  const api = await createFetch({ data: catalog(), clock: CLOCK, ...options });
  onTestFinished(() => api.close());
  return api;
}

describe("one corpus of requests, byte for byte as over a socket", () => {
  let overSocket: SeenResponse[];

  beforeAll(async () => {
    await using server = await createStandin({ data: catalog(), clock: CLOCK });
    overSocket = await sendCorpus(overHttp(server.port));
  });

  test("it meets every kind of response", () => {
    const statuses = new Set(overSocket.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 201, 204, 304, 400, 403, 404, 405, 409, 412, 415, 418, 503]);
  });

  test("by the fetch of createStandin", async () => {
    await using server = await createStandin({ data: catalog(), clock: CLOCK });
    expect(await sendCorpus(byFetch((request) => server.fetch(request)))).toEqual(overSocket);
  });

  test("by standin/fetch", async () => {
    const { fetch } = await openApi();
    expect(await sendCorpus(byFetch(fetch))).toEqual(overSocket);
  });

  test("through MSW", async () => {
    const api = await openApi();
    const worker = setupServer(http.all("http://localhost/*", ({ request }) => api.match(request)));
    worker.listen({ onUnhandledRequest: "error" });
    onTestFinished(() => worker.close());
    expect(await sendCorpus(byFetch((request) => fetch(request)))).toEqual(overSocket);
  });

  test("by the handlers of a Next route", async () => {
    const { methods } = await load();
    const handlers = methods(await openApi()) as Record<
      string,
      (request: Request, context: object) => Promise<Response>
    >;
    const context = { params: Promise.resolve({ path: ["products"] }) };
    expect(await sendCorpus(byFetch((request) => handlers[request.method]!(request, context)))).toEqual(overSocket);
  });
});

test("without the console, its routes are gone, and people see the plain page", async () => {
  await using server = await createStandin({ data: catalog(), console: false });
  const api = await openApi({ console: false });
  for (const path of ["/", "/__console", "/__types", "/__openapi.json", "/__events", "/__requests"]) {
    const ask = () => new Request(`http://localhost${path}`, { headers: { Accept: "text/html" } });
    const [onNode, onWeb] = [await server.fetch(ask()), await api.fetch(ask())];
    expect([path, onWeb.status, await onWeb.text()]).toEqual([path, onNode.status, await onNode.text()]);
    expect(onWeb.status).toBe(path === "/" ? 200 : 404);
  }
});

describe("below a base", () => {
  test("every address has it", async () => {
    const api = await openApi({ base: "api/" });
    expect(api.url).toBe("http://localhost/api");
    const made = await api.fetch(post("http://shop.test/api/products"));
    expect(made.headers.get("location")).toBe("http://shop.test/api/products/13");
    const page = await api.fetch("/api/products?_page=1&_limit=5");
    expect(page.headers.get("link")).toContain("<http://localhost/api/products?_page=2&_limit=5>");
    const document = await (await api.fetch("/api/__openapi.json")).json();
    expect(document.servers[0].url).toBe("http://localhost/api");
    expect(await (await api.fetch("/api")).json()).toMatchObject({ database: "http://localhost/api/db" });
    expect((await api.request("GET /__overview")).body).toMatchObject({ url: "http://localhost/api" });
    const sandbox = await api.request("POST /__sandboxes", { body: { name: "one" } });
    expect(sandbox.headers.get("location")).toBe("http://localhost/api/__sandboxes/one");
    expect(sandbox.body).toMatchObject({ url: "http://localhost/api/__sandbox/one" });
    const inside = await api.sandbox("one").request("POST /products", { body: {} });
    expect(inside.headers.get("location")).toBe("http://localhost/api/__sandbox/one/products/14");
    expect(api.requests({ method: "POST" })[0]?.url).toBe("/api/products");
  });

  test("other addresses are not for it", async () => {
    const api = await openApi({ base: "/api" });
    for (const path of ["/products", "/apiary", "/"]) {
      const request = new Request(`http://localhost${path}`);
      expect(api.match(request)).toBeUndefined();
      const response = await api.fetch(request);
      expect([response.status, (await response.json()).code]).toEqual([404, "ROUTE_NOT_FOUND"]);
    }
    expect((await api.match(new Request("http://localhost/api/products")))?.status).toBe(200);
  });
});

describe("guards", () => {
  const foreign = (): Request =>
    new Request("http://evil.test/__reset", { method: "POST", headers: { Origin: "http://page.test" } });

  test("refuse other hosts and origins", async () => {
    const response = await (await openApi()).fetch(foreign());
    expect([response.status, (await response.json()).code]).toEqual([403, "HOST_FORBIDDEN"]);
  });

  test("can be left out", async () => {
    expect((await (await openApi({ guard: false })).fetch(foreign())).status).toBe(200);
  });
});

describe("connections that faults drop", () => {
  test.each(["reset", "empty-reply", "timeout"] as const)("%s", async (fault) => {
    const api = await openApi();
    api.faults.add(fault === "timeout" ? { fault, ms: 1 } : { fault });
    await expect(api.fetch("/products")).rejects.toMatchObject({ name: "StandinError", code: "FAULT_ON_DEMAND" });
    expect((await api.match(new Request("http://localhost/products")))?.type).toBe("error");
  });

  test("truncated-body ends in an error", async () => {
    const api = await openApi();
    api.faults.add({ fault: "truncated-body", bytes: 4 });
    const reader = (await api.fetch("/products")).body!.getReader();
    expect((await reader.read()).value).toHaveLength(4);
    await expect(reader.read()).rejects.toMatchObject({ code: "FAULT_ON_DEMAND" });
  });

  test("slow-body arrives whole", async () => {
    const api = await openApi();
    const whole = await (await api.fetch("/products")).text();
    api.faults.add({ fault: "slow-body", bytesPerSecond: 1_000_000 });
    expect(await (await api.fetch("/products")).text()).toBe(whole);
  });
});

describe("bodies and signals", () => {
  test("a body that has been read is 400", async () => {
    const api = await openApi();
    const request = post("http://localhost/products");
    await request.text();
    const response = await api.fetch(request);
    expect([response.status, (await response.json()).code]).toEqual([400, "BODY_UNREADABLE"]);
  });

  test("a body that streams is read up to the limit", async () => {
    const api = await openApi({ maxBodyBytes: 100 });
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64)) });
    const init = { method: "POST", body, duplex: "half" };
    const response = await api.fetch(new Request("http://localhost/products", init as RequestInit));
    expect([response.status, (await response.json()).code]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  test("a signal ends a wait", async () => {
    const api = await openApi();
    const leaving = new AbortController();
    const waiting = api.fetch(new Request("http://localhost/products?_delay=2000000", { signal: leaving.signal }));
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });

  test("events stream, and end with their reader", async () => {
    const api = await openApi();
    const reader = (await api.fetch("/__events")).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain(": standin");
    await api.request("POST /products", { body: { name: "Cap" } });
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("event: change");
    await reader.cancel();
    await api.request("POST /products", { body: { name: "Hat" } });
  });
});

test("further arguments, such as those of edge platforms, are ignored", async () => {
  const { fetch } = await openApi();
  const platform = fetch as (request: Request, env: object, context: object) => Promise<Response>;
  expect((await platform(new Request("http://localhost/products/1"), { method: "DELETE" }, {})).status).toBe(200);
  expect((await fetch("/products/1")).status).toBe(200);
});

test("programs read and write its data, and wait for its requests", async () => {
  const api = await openApi({ base: "/api" });
  const changes: unknown[] = [];
  const stop = api.on("change", (change) => changes.push(change));
  await api.fetch(new Request("http://localhost/api/products/1", { method: "DELETE" }));
  expect(await api.db.products!.get(1)).toBeUndefined();
  expect(await api.waitForRequest({ method: "DELETE" })).toMatchObject({ status: 200 });
  await api.batch([{ method: "POST", path: "/companies", body: { name: "New" } }]);
  expect(changes).toHaveLength(2);
  stop();
  await api.reset();
  expect(await api.db.products!.get(1)).toMatchObject({ name: "Steel Hat" });
  expect(api.requests()).toEqual([]);
});

test("an instance with a name is found again, until it is closed", async () => {
  const { createFetch } = await load();
  const open = () => createFetch({ data: catalog(), name: "shop" });
  const first = await open();
  expect(await open()).toBe(first);
  await first.close();
  const next = await open();
  expect(next).not.toBe(first);
  await next.close();
});

test.each([
  ["source", "db.json"],
  ["source", "postgres://localhost/shop"],
  ["data", "db.json"],
  ["routes", "routes.json"],
  ["rules", "rules.json"],
  ["plugins", ["./plugin.js"]],
  ["middlewares", ["./middleware.js"]],
  ["middlewares", [() => {}]],
  ["static", "public"],
  ["snapshots", "snapshots"],
  ["compression", true],
  ["persist", true],
  ["hooks", [{ name: "all", on: "*", to: "http://localhost:4000" }]],
  ["hookTargets", ["http://localhost:4000"]],
  ["fallback", "http://localhost:4000"],
  ["fallbackWrites", true],
  ["upstream", "http://localhost:4000"],
  ["header", ["X-Team: blue"]],
  ["origin", ["http://localhost:4000"]],
  ["insecure", true],
])("the option %s: %j is refused by its name", async (name, value) => {
  const { createFetch } = await load();
  await expect(createFetch({ data: {}, [name]: value } as never)).rejects.toMatchObject({
    code: "OPTION_UNAVAILABLE",
    message: expect.stringContaining(`"${name}"`),
  });
});

test("a program moves the clock, and the timeline follows; webhooks and the time of a sandbox need a server", async () => {
  const timeline = [{ on: "orders.created", after: "3s", set: { status: "paid", paidAt: "{{now}}" } }];
  const api = await openApi({ data: { orders: [] }, clock: "2030-01-01T00:00:00Z", timeline });
  await api.request("POST /orders", { body: { status: "new" } });
  await api.clock.advance("2s");
  expect(await api.jobs()).toMatchObject([{ dueAt: "2030-01-01T00:00:03.000Z" }]);
  await api.clock.advance("1h");
  const paid = [{ id: 1, status: "paid", paidAt: "2030-01-01T00:00:03.000Z" }];
  expect(await (await api.fetch("/orders")).json()).toEqual(paid);

  await expect(api.sandbox().clock.advance("1h")).rejects.toMatchObject({ code: "OPTION_UNAVAILABLE" });
  const hook = { name: "all", on: "*", to: "http://localhost:4000" };
  const refused = await api.request("POST /__hooks", { body: hook });
  expect([refused.status, refused.body]).toMatchObject([501, { code: "OPTION_UNAVAILABLE" }]);
});

test("layers, rules and plugins run", async () => {
  const api = await openApi({
    middlewares: ["api-key"],
    layers: { "api-key": { keys: ["key-1234567890"] } },
    rules: { products: { required: ["name"] } },
    plugins: [{ name: "hello", routes: { "GET /hello": () => ({ hello: "world" }) } }],
  });
  const headers = { "X-Api-Key": "key-1234567890" };
  expect((await api.request("GET /products")).status).toBe(401);
  expect((await api.request("GET /hello", { headers })).body).toEqual({ hello: "world" });
  expect(await api.request("POST /products", { headers, body: {} })).toMatchObject({
    status: 422,
    body: { code: "RECORD_INVALID" },
  });
});

/** Runs a module in a process of its own, which has the built `standin/fetch`. */
async function runModule(text: string, ...flags: string[]): Promise<string> {
  const file = join(builtPackage(), "dist/web/fetch.js");
  const module = text.replace("standin/fetch", `file://${file}`);
  return (await run(process.execPath, [...flags, "--input-type=module", "--eval", module])).stdout.trim();
}

test("nothing random, timed or compiled happens before the first fetch", async () => {
  const printed = await runModule(`
    const free = [];
    const bar = (holder, name) => {
      const own = holder[name];
      free.push(() => { holder[name] = own; });
      holder[name] = () => { throw new Error(name + " was called"); };
    };
    for (const name of ["setTimeout", "setInterval", "setImmediate", "Function"]) bar(globalThis, name);
    bar(Math, "random");
    bar(crypto, "randomUUID");
    bar(crypto, "getRandomValues");
    const { createFetch } = await import("standin/fetch");
    const api = await createFetch({ data: { products: [{ id: 1 }] }, faults: [{ fault: "latency", ms: 1 }] });
    for (const run of free) run();
    console.log((await api.fetch("/products/1")).status);
    await api.close();
  `);
  expect(printed).toBe("200");
});

test("rules are refused where code cannot be compiled", async () => {
  const printed = await runModule(
    `
    const { createFetch } = await import("standin/fetch");
    await createFetch({ data: { products: [] }, rules: { products: {} } }).catch(({ code }) => console.log(code));
    const api = await createFetch({ data: { products: [{ id: 1 }] } });
    console.log((await api.fetch("/products/1")).status);
  `,
    "--disallow-code-generation-from-strings",
  );
  expect(printed.split("\n")).toEqual(["RULES_UNAVAILABLE", "200"]);
});

test("the package has its types", () => {
  expect(existsSync(join(builtPackage(), "dist/app/fetch.d.ts"))).toBe(true);
});

test("data may be a function that loads it, and a response keeps all digits of its numbers", async () => {
  const body = '{ "products": [{ "id": 1, "price": 12345678901234567890 }] }';
  const api = await openApi({ data: async () => new Response(body) });
  expect(await (await api.fetch("/products/1")).text()).toContain("12345678901234567890");
  const plain = await openApi({ data: () => ({ products: [{ id: 7 }] }) });
  expect((await plain.fetch("/products/7")).status).toBe(200);
  const { createFetch } = await load();
  const missing = createFetch({ data: () => new Response("", { status: 404 }) });
  await expect(missing).rejects.toThrow(/responds 404, so there is no data/);
});
