import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, openPage, PHONE } from "./browser.ts";
import { serveForTest } from "./serve.ts";
import { close, execute, operation } from "./tried-out.ts";

const KEY = "key-0123456789";

/** The viewer takes seconds for each collection. */
const { products } = catalog();

describe("/__docs", () => {
  inBrowser("describes what is served, and lets it be tried: a read and a write", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": { products } }));
    const page = await openPage(url, "/__docs");
    const list = await operation(page, "get", "/products");
    const filters = list.locator('tr[data-param-name="filters"]');
    expect(await filters.locator("textarea").inputValue()).toBe("{}");
    expect(await filters.innerText()).not.toContain("OrderedMap");
    const [status, body] = await execute(list);
    expect(status).toContain("200");
    expect(JSON.parse(body)).toEqual(products);
    await close(list);

    const write = await operation(page, "patch", "/products/{id}");
    await write.locator('tr[data-param-name="id"] input').fill("2");
    await write.locator("textarea").fill('{"name":"Tried out"}');
    expect((await execute(write))[0]).toContain("200");
    expect(await (await fetch(`${url}/products/2`)).json()).toMatchObject({ name: "Tried out" });
  });

  inBrowser("asks for the key that a layer requires, and sends it with requests; fits a phone", async () => {
    const config = { middlewares: ["api-key"], layers: { "api-key": { keys: [{ key: KEY, permissions: ["read"] }] } } };
    const data = { settings: { theme: "plain" }, notes: [{ id: 1 }, { id: 2, text: "second" }] };
    const { url } = await serveForTest([], createFolder({ "db.json": data, "standin.json": config }));
    const page = await openPage(url, "/__docs", { viewport: PHONE, provokes: [401] });
    await page.getByRole("alert").getByText("API key").waitFor();
    await page.getByLabel("API key").fill(KEY);
    await page.getByRole("button", { name: "Show" }).click();
    const [status, body] = await execute(await operation(page, "get", "/settings"));
    expect(status).toContain("200");
    expect(JSON.parse(body)).toEqual(data.settings);
    const read = await operation(page, "get", "/notes/{id}");
    await read.locator('tr[data-param-name="id"] input').fill("2");
    const [statusOfOne, one] = await execute(read);
    expect(statusOfOne).toContain("200");
    expect(JSON.parse(one)).toEqual(data.notes[1]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  });
});
