import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build, createLogger, type InlineConfig, type Plugin, preview } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { sharedChromium } from "../support/chromium.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { serveStatic } from "../support/static-server.ts";
import { fetchIn } from "./demo-site.ts";
import { inChromium, inChromiumAtLength } from "./worker-site.ts";

const DATA = { products: [{ id: 1, name: "Hat" }] };
/** The app requests data at once, as apps do. */
const appOf = (path: string): string =>
  `globalThis.shown = fetch(${JSON.stringify(path)}).then((response) => response.ok ? response.json() : response.status);`;
const PAGE = '<!doctype html><title>Shop</title><script type="module" src="/main.js"></script>';

/** The plugin of the built package, which has the worker's files. */
async function builtPlugin(options: object): Promise<Plugin> {
  const { standin } = await import(join(builtPackage(), "dist/vite.js"));
  return standin("data" in options ? options : { source: "db.json", ...options });
}

async function buildApp(options: object, app: string, config: InlineConfig = {}): Promise<string> {
  const root = createFolder({ "index.html": PAGE, "main.js": app, "db.json": DATA });
  await build({ root, configFile: false, logLevel: "silent", plugins: [await builtPlugin(options)], ...config });
  return root;
}

async function openPage(url: string): Promise<Page> {
  const started = await sharedChromium();
  if (started.kind === "none") throw new Error(started.reason);
  const profile = await started.browser.newContext();
  profile.setDefaultTimeout(limit(30_000));
  onTestFinished(() => profile.close());
  const page = await profile.newPage();
  await page.goto(url);
  return page;
}

/** What the app of the page got at its start. */
async function shownIn(page: Page): Promise<unknown> {
  await page.waitForFunction("globalThis.shown");
  return page.evaluate("shown");
}

inChromium("a build that asks for it has the API before the app's first request, and keeps changes", async () => {
  const root = await buildApp({ base: "/repo/api", build: { console: true } }, appOf("/repo/api/products"), {
    base: "/repo/",
  });
  const { url, close } = await serveStatic(join(root, "dist"), "/repo");
  onTestFinished(close);
  const page = await openPage(`${url}/`);
  expect(await shownIn(page)).toEqual(DATA.products);
  await fetchIn(page, "/repo/api/products", { method: "POST" });
  await page.reload();
  expect(await shownIn(page)).toHaveLength(2);
  await page.goto(`${url}/api/__console/#/data/products`);
  await page.getByText("Hat").waitFor();
  expect(JSON.parse(readFileSync(join(root, "db.json"), "utf8"))).toEqual(DATA);
});

inChromiumAtLength("a build with relative addresses works in any folder", async () => {
  const root = await buildApp({ base: "/api", build: true }, appOf("api/products"), { base: "./" });
  const { url, close } = await serveStatic(join(root, "dist"), "/any/folder");
  onTestFinished(close);
  expect(await shownIn(await openPage(`${url}/`))).toEqual(DATA.products);
});

inChromiumAtLength("its preview leaves the API to the worker", async () => {
  const root = await buildApp({ build: true }, appOf("/api/products"));
  const own = { port: 0, host: "localhost" };
  const plugins = [await builtPlugin({ build: true })];
  const server = await preview({ root, configFile: false, logLevel: "silent", preview: own, plugins });
  onTestFinished(() => server.close());
  const url = server.resolvedUrls?.local[0] ?? "";
  const page = await openPage(url);
  expect(await shownIn(page)).toEqual(DATA.products);
  expect((await fetch(`${url}api/products`)).headers.get("content-type")).toContain("html");
});

test("the build has the files of standin browser, and says what a page cannot have", async () => {
  const said: string[] = [];
  const customLogger = { ...createLogger("silent"), warn: (text: string) => said.push(text) };
  const relations = { products: { makerId: "companies" } };
  const options = { build: true, data: DATA, readOnly: true, relations, middlewares: ["bearer"] };
  const root = await buildApp(options, "", { customLogger });
  const names = readdirSync(join(root, "dist")).filter((name) => name.startsWith("standin"));
  expect(names.sort()).toEqual([
    "standin-data.json",
    expect.stringMatching(/^standin-start-[0-9a-f]{8}\.js$/),
    "standin-worker.js",
    "standin.js",
  ]);
  expect(readFileSync(join(root, "dist/standin-worker.js"), "utf8")).toContain('"readOnly":true');
  expect(readFileSync(join(root, "dist/standin-worker.js"), "utf8")).toContain('"relations":{"products"');
  expect(said).toEqual([expect.stringContaining('standin: "middlewares" is left out of the build')]);
});

test("a build for a server has nothing of it", async () => {
  const root = await buildApp({ build: true }, "export {};", { build: { ssr: "main.js" } });
  expect(readdirSync(join(root, "dist")).filter((name) => name.startsWith("standin"))).toEqual([]);
});

test.each([
  [{ base: "/api", build: true }, "/repo/", "make the base /repo/api"],
  [{ source: "none.json", build: true }, "/", "none.json does not exist"],
])("%j in a build at %s is refused: %s", async (options, base, message) => {
  await expect(buildApp(options, "", { base })).rejects.toThrow(message);
});

test("two plugins cannot both be in a build", async () => {
  const plugins = [await builtPlugin({ build: true }), await builtPlugin({ build: true, base: "/crm" })];
  await expect(buildApp({}, "", { plugins })).rejects.toThrow("A build has one worker");
});
