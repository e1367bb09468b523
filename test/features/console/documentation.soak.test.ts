import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, openPage, PHONE } from "./browser.ts";
import { serveForTest } from "./serve.ts";

const KEY = "key-0123456789";

const { products } = catalog();

describe("/__docs", () => {
  inBrowser("shows the API docs, and lets a read and a write be tried", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": { products } }));
    const page = await openPage(url, "/__docs");
    await page.getByRole("heading", { name: "API docs" }).waitFor();
    await page.goto(`${url}/__docs#/docs/listProduct`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("200", { exact: true }).last().waitFor();
    await page.goto(`${url}/__docs#/docs/createProduct`);
    await page.getByRole("textbox", { name: "Body" }).fill('{ "name": "Tried out" }');
    // The page names 201 before it is sent, too.
    const sent = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Send" }).click();
    expect((await sent).status()).toBe(201);
    await page.getByText("201", { exact: true }).last().waitFor();
    const found = await (await fetch(`${url}/products?name=Tried%20out`)).json();
    expect(found).toMatchObject([{ name: "Tried out" }]);
  });

  inBrowser("asks for the key that a layer requires; fits a phone", async () => {
    const config = { middlewares: ["api-key"], layers: { "api-key": { keys: [{ key: KEY, permissions: ["read"] }] } } };
    const data = { settings: { theme: "plain" }, notes: [{ id: 1 }, { id: 2, text: "second" }] };
    const { url } = await serveForTest([], createFolder({ "db.json": data, "standin.json": config }));
    const page = await openPage(url, "/__docs", { viewport: PHONE, provokes: [401] });
    await page.getByLabel("API key", { exact: true }).fill(KEY);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "API docs" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  });
});
