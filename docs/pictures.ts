/**
 * Makes the pictures of the console, in both themes and at three sizes: `npm run pictures [folder]`. Without a folder only
 * those that the pages show are made.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../test/support/chromium.ts";

const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1280, height: 800 },
};
const THEMES = ["light", "dark"] as const;
const VIEWS = {
  overview: "#/",
  data: "#/data/products?price:gte=100&price:lt=400&_sort=price",
  groups: "#/data/products?price:gte=100&_group=company_id&_aggregate=sum:price",
  record: "#/data/products/7",
  request: "#/request",
  traffic: "#/traffic",
  snapshots: "#/snapshots",
};

const folder = process.argv[2];
const started = await startChromium();
if (started.kind === "none") throw new Error(started.reason);
const place = mkdtempSync(join(tmpdir(), "standin-pictures-"));
const server = await serve(place);
try {
  await someTraffic(server.url);
  if (folder) await allPictures(started.browser, server.url, folder);
  else {
    await picture(started.browser, server.url, "data", "desktop", "light", "docs/pictures/console.png");
    await picture(started.browser, server.url, "groups", "desktop", "light", "docs/pictures/groups.png");
  }
} finally {
  await started.browser.close();
  server.stop();
  rmSync(place, { recursive: true, force: true });
}

async function allPictures(browser: Browser, url: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const theme of THEMES) {
    for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
      for (const view of Object.keys(VIEWS) as (keyof typeof VIEWS)[]) {
        await picture(browser, url, view, size, theme, join(to, `${view}-${size}-${theme}.png`));
      }
    }
  }
}

async function picture(
  browser: Browser,
  url: string,
  view: keyof typeof VIEWS,
  size: keyof typeof SIZES,
  theme: (typeof THEMES)[number],
  path: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme: theme });
  await page.goto(`${url}/__console${VIEWS[view]}`);
  await settled(page, view);
  await page.screenshot({ path });
  await page.close();
}

/** Until what the view waits for is there. */
async function settled(page: Page, view: keyof typeof VIEWS): Promise<void> {
  await page.locator("main h1").waitFor();
  if (view === "data") await page.locator("tbody a").first().waitFor();
  if (view === "groups") await page.locator("tbody .bar").first().waitFor();
  if (view === "record") await page.getByText("Related").waitFor();
  if (view === "traffic") await page.locator(".entries tbody tr").first().waitFor();
  if (view === "request") {
    await page.getByLabel("Path").fill("/products?price_gte=100&price_lte=400&_limit=2");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".response-line").waitFor();
  }
  await page.waitForTimeout(400);
}

/** A server with the generated products and companies, a rewrite file, layers and two snapshots. */
async function serve(cwd: string): Promise<{ url: string; stop: () => void }> {
  const cli = resolve("dist/cli.js");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(cwd, "routes.json"), JSON.stringify({ "/api/v1/*": "/$1", "/health": "/health-check" }));
  writeFileSync(
    join(cwd, "standin.json"),
    JSON.stringify({
      routes: "routes.json",
      snapshots: "snapshots",
      middlewares: ["cors", "latency"],
      layers: { latency: { minMs: 1, maxMs: 40 } },
    }),
  );
  const generate = spawn(process.execPath, [cli, "generate", "db.json", "--seed", "7"], { cwd, stdio: "ignore" });
  await new Promise((done) => generate.once("close", done));
  const child = spawn(process.execPath, [cli, "--port", "0"], { cwd });
  const url = await new Promise<string>((found, failed) => {
    let printed = "";
    child.stdout.on("data", (piece) => {
      printed += piece;
      const address = /serving at (\S+)/.exec(printed)?.[1];
      if (address) found(address);
    });
    child.once("close", () => failed(new Error(`The server ended early: ${printed}`)));
  });
  return { url, stop: () => child.kill() };
}

async function someTraffic(url: string): Promise<void> {
  const json = { "Content-Type": "application/json" };
  const send = (path: string, method = "GET", body?: unknown) =>
    fetch(url + path, body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) });
  await send("/__snapshots__", "POST", { name: "fresh" });
  for (let round = 0; round < 12; round++) {
    await Promise.all([send(`/products/${round + 1}`), send(`/api/v1/companies?_limit=${round + 1}`)]);
    if (round % 4 === 1) await send("/products?name_like=lamp&_sort=price");
    if (round % 5 === 2) await send(`/products/${round}`, "PATCH", { price: 100 + round });
    if (round % 6 === 3) await send("/nowhere");
    await new Promise((done) => setTimeout(done, 250));
  }
  await send("/products", "POST", { name: "Paper Lantern", price: 24.5, company_id: 3 });
  await send("/products/4", "DELETE");
  await send("/__snapshots__", "POST", { name: "before-the-sale" });
}
