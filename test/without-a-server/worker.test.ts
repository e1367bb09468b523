import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createStandin } from "../../src/app/create-standin.ts";
import { builtPackage } from "../support/build.ts";
import { catalog } from "../support/catalog.ts";
import { overHttp, type SeenResponse, sendCorpus, type Transport } from "../support/request-corpus.ts";
import { byPage, inChromium, inChromiumAtLength, openSite } from "./worker-site.ts";

const SHOP = `{ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api" }`;

inChromium("a page reads and writes, and other tabs see it", async () => {
  const site = await openSite(SHOP);
  const [one, other] = [byPage(await site.open()), byPage(await site.open())];
  const made = await one("POST /api/products", { "Content-Type": "application/json" }, '{"name":"Cap"}');
  expect([made.status, made.headers.get("location")]).toEqual([201, `${site.url}/api/products/2`]);
  expect(JSON.parse((await other("GET /api/products", {})).body)).toHaveLength(2);
  expect((await other("POST /api/__reset", {})).status).toBe(200);
  expect(JSON.parse((await one("GET /api/products", {})).body)).toHaveLength(1);
  expect(site.asked.filter((path) => path.startsWith("/api"))).toEqual([]);
});

inChromium("requests outside of the base and pages go on to the network", async () => {
  const site = await openSite(SHOP);
  site.files.set("/about", "<p>About").set("/apiary", "bees");
  const page = await site.open();
  const send = byPage(page);
  expect((await send("GET /apiary", {})).body).toBe("bees");
  expect((await send("GET /other", {})).status).toBe(404);
  await page.goto(`${site.url}/about`);
  expect(await page.textContent("p")).toBe("About");
});

inChromiumAtLength("the base is relative to the scope of the worker", async () => {
  const site = await openSite(SHOP, "/repo/");
  site.files.set("/api/products", "not for it");
  const send = byPage(await site.open());
  const made = await send("POST /repo/api/products", {});
  expect(made.headers.get("location")).toBe(`${site.url}/repo/api/products/2`);
  expect((await send("GET /api/products", {})).body).toBe("not for it");
});

inChromiumAtLength("data can be loaded when the first request comes", async () => {
  const site = await openSite(`{ data: () => fetch("/data.json").then((response) => response.json()), base: "/api" }`);
  site.files.set("/data.json", `{ "products": [{ "id": 7 }] }`);
  expect((await byPage(await site.open())("GET /api/products/7", {})).status).toBe(200);
});

inChromium("a mistake in the options is said in every response", async () => {
  const site = await openSite(`{ data: {}, base: "/api", rulez: {} }`);
  const { status, body } = await byPage(await site.open())("GET /api/products", {});
  expect([status, JSON.parse(body).message]).toEqual([503, expect.stringContaining("rulez")]);
});

const RULES = {
  products: {
    properties: { name: { type: "string", pattern: "^[A-Z]" }, price: { type: "number", minimum: 0 } },
    required: ["name"],
    "x-unique": ["name"],
  },
};
const RULED = `{ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api", rules: ${JSON.stringify(RULES)} }`;

inChromiumAtLength("records must meet rules", async () => {
  const site = await openSite(RULED);
  const send = byPage(await site.open());
  await using server = await createStandin({ data: { products: [{ id: 1, name: "Hat" }] }, rules: RULES });
  for (const body of [
    '{"name":"cap"}',
    '{"price":-1}',
    '{"name":"Hat"}',
    '{"name":"Cap","price":12345678901234567890}',
  ]) {
    const here = await send("POST /api/products", { "Content-Type": "application/json" }, body);
    const there = await overHttp(server.port)("POST /products", { "Content-Type": "application/json" }, body);
    expect([here.status, here.body]).toEqual([there.status, there.body]);
  }
  expect((await send("GET /api/products/2", {})).body).toContain("12345678901234567890");
});

inChromiumAtLength("where the platform bars compiled code, rules are refused with the reason", async () => {
  const site = await openSite(RULED);
  site.headers.set("/sw.js", { "Content-Security-Policy": "script-src 'self'" });
  const { status, body } = await byPage(await site.open())("GET /api/products", {});
  expect([status, JSON.parse(body).code]).toEqual([501, "RULES_UNAVAILABLE"]);
  expect(JSON.parse(body).message).toMatch(/does not allow: EvalError/);
});

inChromium("it has what a page has by itself", async () => {
  const site = await openSite(`{ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api", history: "100" }`);
  const send = byPage(await site.open());
  const json = { "Content-Type": "application/json" };
  const seen: [string, number][] = [];
  for (const [line, body] of [
    ["PATCH /api/products/1", '{"name":"Cap"}'],
    ["GET /api/__at/1/products"],
    ["GET /api/__history"],
    ["GET /api/__requests?format=har"],
    ["GET /api/__types?lang=csharp"],
    ["GET /api/__openapi.json?version=3.0"],
    ["GET /api/llms.txt"],
    ["GET /api/products?name_like=(c)%2B"],
    ["POST /api/__clock", '{"advance":"1h"}'],
    ["POST /api/__collections/products/draft", '{"name":"Coat"}'],
  ]) {
    seen.push([line!, (await send(line!, body === undefined ? {} : json, body)).status]);
  }
  expect(seen.filter(([, status]) => status !== 200)).toEqual([]);
});

inChromiumAtLength("layers verify tokens in it", async () => {
  const site = await openSite(
    `{ data: { products: [] }, base: "/api", middlewares: ["signed-token"],
       layers: { "signed-token": { users: [{ email: "ann@example.com", password: "a password" }] } } }`,
  );
  expect((await byPage(await site.open())("POST /api/products", {})).status).toBe(401);
});

/** Pages may not set these, and a worker would not see them. */
function withoutOrigin(send: Transport): Transport {
  return (line, { Origin: _origin, "Access-Control-Request-Method": _method, ...headers }, body) =>
    send(line, headers, body);
}

inChromium("one corpus of requests, byte for byte as over a socket", async () => {
  const clock = "2026-01-01T00:00:00.000Z";
  for (const more of ["", ', persist: "indexeddb"']) {
    const options = `{ data: ${JSON.stringify(catalog())}, clock: "${clock}"${more} }`;
    const site = await openSite(options);
    await using server = await createStandin({ data: catalog(), clock });
    const overSocket = overHttp(server.port);
    const { host } = new URL(site.url);
    const expected = await sendCorpus(
      withoutOrigin((line, headers, body) => overSocket(line, { Host: host, ...headers }, body)),
    );
    // Types say where the data is from.
    const isComparable = ({ line }: SeenResponse): boolean => more === "" || line !== "GET /__types";
    const inWorker = await sendCorpus(withoutOrigin(byPage(await site.open())));
    expect(inWorker.filter(isComparable)).toEqual(expected.filter(isComparable));
  }
});

inChromiumAtLength("a page alone keeps its data, for one tab at a time", async () => {
  const site = await openSite(SHOP);
  const entryPoints = [join(builtPackage(), "dist/web/fetch.js")];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", platform: "browser", write: false });
  site.files.set("/fetch.js", outputFiles[0]!.text).set("/plain", "<title>Plain</title>");
  const open = async (): Promise<string> => {
    const page = await site.profile.newPage();
    await page.goto(`${site.url}/plain`);
    return page.evaluate(
      `import("/fetch.js").then(async ({ createFetch }) => {
        try {
          globalThis.api = await createFetch({ data: { products: [] }, persist: "indexeddb", name: "page" });
          await api.request("POST /products", { body: {} });
          return (await api.request("GET /products")).body.length;
        } catch (thrown) {
          return thrown.code;
        }
      })`,
    );
  };
  expect(await open()).toBe(1);
  expect(await open()).toBe("STORE_IN_USE");
  await site.profile.pages()[0]!.close();
  await expect.poll(open).toBe(2);
});

test("it is small enough to load with a page", () => {
  expect(gzipSync(readFileSync(join(builtPackage(), "dist/web/worker.js"))).length).toBeLessThan(400_000);
});
