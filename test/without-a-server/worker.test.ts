import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createStandin } from "../../src/app/create-standin.ts";
import { builtPackage } from "../support/build.ts";
import { catalog } from "../support/catalog.ts";
import { overHttp, type SeenResponse, sendCorpus, type Transport } from "../support/request-corpus.ts";
import { byPage, inChromium, inChromiumAtLength, openSite, workerText } from "./worker-site.ts";

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
  const site = await openSite(`{ data: {}, base: "/api", rules: { products: {} } }`);
  const { status, body } = await byPage(await site.open())("GET /api/products", {});
  expect([status, JSON.parse(body).code]).toEqual([501, "OPTION_UNAVAILABLE"]);
  expect(JSON.parse(body).message).toContain('import "standin/worker/rules"');
});

const RULES = {
  products: {
    properties: { name: { type: "string", pattern: "^[A-Z]" }, price: { type: "number", minimum: 0 } },
    required: ["name"],
    "x-unique": ["name"],
  },
};
const RULED = `{ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api", rules: ${JSON.stringify(RULES)} }`;
const WITH_RULES = 'import "/standin-rules.js";\n';

inChromiumAtLength("records must meet rules, where the script has their compiler", async () => {
  const site = await openSite(RULED);
  site.files.set("/sw.js", workerText(RULED) + WITH_RULES);
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
  site.files.set("/sw.js", workerText(RULED) + WITH_RULES);
  site.headers.set("/sw.js", { "Content-Security-Policy": "script-src 'self'" });
  const { status, body } = await byPage(await site.open())("GET /api/products", {});
  expect([status, JSON.parse(body).code]).toEqual([501, "RULES_UNAVAILABLE"]);
  expect(JSON.parse(body).message).toMatch(/does not allow: EvalError/);
});

inChromiumAtLength("a guide for agents is refused by name: no agent reaches a worker", async () => {
  const { status, body } = await byPage(await (await openSite(SHOP)).open())("GET /api/llms.txt", {});
  expect([status, JSON.parse(body).code]).toEqual([501, "OPTION_UNAVAILABLE"]);
});

inChromiumAtLength("layers that are not in the file are refused by name", async () => {
  const site = await openSite(`{ data: {}, base: "/api", middlewares: ["signed-token"] }`);
  const { status, body } = await byPage(await site.open())("GET /api/products", {});
  expect([status, JSON.parse(body).code]).toEqual([501, "OPTION_UNAVAILABLE"]);
  expect(JSON.parse(body).message).toContain('"signed-token"');
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
    site.files.set("/sw.js", `import "/standin-files.js";\n${workerText(options)}`);
    await using server = await createStandin({ data: catalog(), clock, history: "off" });
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

inChromiumAtLength("a small worker responds to the corpus as a server without the console", async () => {
  const clock = "2026-01-01T00:00:00.000Z";
  const site = await openSite(`{ data: ${JSON.stringify(catalog())}, clock: "${clock}" }`);
  site.files.set("/standin.js", readFileSync(join(builtPackage(), "dist/web/worker-small.js"), "utf8"));
  await using server = await createStandin({ data: catalog(), clock, history: "off", console: false });
  const overSocket = overHttp(server.port);
  const { host } = new URL(site.url);
  const expected = await sendCorpus(
    withoutOrigin((line, headers, body) => overSocket(line, { Host: host, ...headers }, body)),
  );
  const inWorker = await sendCorpus(withoutOrigin(byPage(await site.open())));
  const isComparable = ({ line }: SeenResponse): boolean => line !== "GET /__overview";
  expect(inWorker.filter(isComparable)).toEqual(expected.filter(isComparable));
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

test.each([
  ["worker.js", 182_000],
  ["worker-small.js", 130_000],
])("%s is small enough to load with a page", (name, limit) => {
  expect(gzipSync(readFileSync(join(builtPackage(), "dist/web", name))).length).toBeLessThan(limit);
});
