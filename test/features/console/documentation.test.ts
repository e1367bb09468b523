import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, openPage, PHONE } from "./browser.ts";
import { serveForTest } from "./serve.ts";

const KEY = "key-0123456789";
/** The viewer takes seconds for each collection. */
const { products } = catalog();

/** An operation of the page, opened. */
async function operation(page: Page, method: string, path: string): Promise<Locator> {
  const block = page
    .locator(`.opblock-${method}`)
    .filter({ has: page.locator(`.opblock-summary-path[data-path="${path}"]`) });
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Try it out" }).click();
  return block;
}

/** Sends what was filled in; gives back status and body as the page shows them. */
async function execute(block: Locator): Promise<[status: string, body: string]> {
  await block.getByRole("button", { name: "Execute" }).click();
  const answer = block.locator(".live-responses-table .response");
  const status = await answer.locator(".response-col_status").innerText();
  return [status.trim(), await answer.locator(".highlight-code pre").first().innerText()];
}

describe("/__docs", () => {
  inBrowser("describes what is served, and lets it be tried: a read and a write", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": { products } }));
    const page = await openPage(url, "/__docs");
    const list = await operation(page, "get", "/products");
    const filters = list.locator('tr[data-param-name="filters"]');
    expect(await filters.locator("textarea").inputValue()).toBe("{}");
    expect(await filters.innerText()).not.toContain("OrderedMap");
    const read = await operation(page, "get", "/products/{id}");
    await read.locator('tr[data-param-name="id"] input').fill("2");
    const [status, body] = await execute(read);
    expect(status).toContain("200");
    expect(JSON.parse(body)).toEqual(products[1]);

    const write = await operation(page, "patch", "/products/{id}");
    await write.locator('tr[data-param-name="id"] input').fill("2");
    await write.locator("textarea").fill('{"name":"Tried out"}');
    expect((await execute(write))[0]).toContain("200");
    expect(await (await fetch(`${url}/products/2`)).json()).toMatchObject({ name: "Tried out" });
  });

  inBrowser("asks for the key that a layer requires, and sends it with requests; fits a phone", async () => {
    const config = { middlewares: ["api-key"], layers: { "api-key": { keys: [{ key: KEY, permissions: ["read"] }] } } };
    const settings = { theme: "plain" };
    const { url } = await serveForTest([], createFolder({ "db.json": { settings }, "standin.json": config }));
    const page = await openPage(url, "/__docs", { viewport: PHONE, provokes: [401] });
    await page.getByRole("alert").getByText("API key").waitFor();
    await page.getByLabel("API key").fill(KEY);
    await page.getByRole("button", { name: "Show" }).click();
    const [status, body] = await execute(await operation(page, "get", "/settings"));
    expect(status).toContain("200");
    expect(JSON.parse(body)).toEqual(settings);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  });
});
