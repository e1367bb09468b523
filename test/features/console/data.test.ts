import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, inBrowserAtLength, inBrowserInSoak, openConsole } from "./browser.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const CATALOG = { "db.json": catalog() };
const freshCatalog = serveForFile([], CATALOG);

async function serve() {
  const url = await freshCatalog();
  return { url, ask: (line: string, body?: unknown) => askAt(url, line, body === undefined ? {} : { body }) };
}

/** The names in the table, from top to bottom. */
function namesIn(page: Page): Promise<string[]> {
  return page.locator("tbody td[data-field=name]").allTextContents();
}

const toast = (page: Page) => page.locator(".toast");

describe("the data view", () => {
  inBrowser("a product is found by its price range, changed, and the change undone", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { hasMotion: true });
    await page.getByRole("navigation", { name: "Collections" }).getByText("products").click();
    for (const [operator, value] of [
      ["≥ at least", "40"],
      ["≤ at most", "70"],
    ] as const) {
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByLabel("Field", { exact: true }).fill("price");
      await page.keyboard.press("Enter");
      await page.getByLabel("Operator").selectOption(operator);
      await page.getByLabel("Value").fill(value);
      await page.keyboard.press("Enter");
    }
    await page.getByText("2 of 12 records").waitFor();
    await page.getByText("/products?price:gte=40&price:lte=70&_start=0&_limit=100").waitFor();
    await page.getByRole("button", { name: "price", exact: true }).click();
    await expect.poll(() => namesIn(page)).toEqual(["Concrete Lamp", "Silk Scarf"]);

    await page.getByRole("link", { name: "10", exact: true }).click();
    const record = page.getByRole("dialog", { name: "products / 10" });
    await record.getByLabel("price", { exact: true }).fill("65.5");
    await record.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed products/10").waitFor();
    await page.getByText("PATCH /products/10 · 200").waitFor();
    expect((await ask("GET /products/10")).body).toMatchObject({ price: 65.5, name: "Concrete Lamp" });
    await expect.poll(() => namesIn(page)).toEqual(["Silk Scarf", "Concrete Lamp"]);

    await toast(page).getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone: changed products/10").waitFor();
    expect((await ask("GET /products/10")).body).toEqual(catalog().products[9]);
    await expect.poll(() => namesIn(page)).toEqual(["Concrete Lamp", "Silk Scarf"]);
  });

  inBrowserAtLength("the request that made a change can be taken along", async () => {
    const { url } = await serve();
    const page = await openConsole(url, { at: "/data/products/3" });
    await page.getByRole("dialog").getByRole("button", { name: "JSON" }).click();
    const text = page.getByLabel("The record as JSON");
    await text.fill((await text.inputValue()).replace("99.99", "98"));
    await page.keyboard.press("Control+Enter");
    await page.getByText("Changed products/3").waitFor();
    await page.getByRole("button", { name: "Show request" }).click();
    await page.getByText(`curl -X PATCH '${url}/products/3'`).waitFor();
    await page.getByText("--data-raw").waitFor();
    await page.getByRole("button", { name: "C#" }).click();
    await page.getByText("HttpMethod.Patch").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText('"price": 98').last().waitFor();
  });

  inBrowserAtLength("what was typed is not lost by going elsewhere, saved twice, or undone twice", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await page.getByRole("link", { name: "1", exact: true }).first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    const record = page.getByRole("dialog", { name: "products / 3" });
    await record.getByLabel("name", { exact: true }).fill("Typed");
    // Playwright dismisses every dialog, like a user who wants to stay.
    await page.goBack();
    await record.waitFor();
    expect(await record.getByLabel("name", { exact: true }).inputValue()).toBe("Typed");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Changed products/3").waitFor();
    await page.getByRole("button", { name: "Undo" }).dblclick();
    await page.getByText("Undone").first().waitFor();
    expect(await page.getByText("Not undone").count()).toBe(0);

    const { length } = (await ask("GET /products")).body as unknown[];
    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: "New in products" }).getByLabel("name", { exact: true }).fill("Once");
    await page.evaluate(`for (let time = 0; time < 3; time++) document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }))`);
    await page.getByText("Created products/").waitFor();
    expect((await ask("GET /products")).body).toHaveLength(length + 1);
  });

  inBrowserInSoak("a conflict shows both sides, keeps what was typed, and can be saved on top", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products/1", provokes: [412] });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByLabel("price", { exact: true }).fill("11");
    await ask("PATCH /products/1", { name: "Iron Hat" });
    await record.getByRole("button", { name: "Save" }).click();
    const conflict = page.getByRole("dialog", { name: "This record was changed elsewhere" });
    await conflict.getByRole("row", { name: "name Iron Hat not changed" }).waitFor();
    await conflict.getByRole("row", { name: "price 10 11" }).waitFor();
    await conflict.getByRole("button", { name: "Keep editing" }).click();
    expect(await record.getByLabel("price", { exact: true }).inputValue()).toBe("11");
    expect((await ask("GET /products/1")).body).toMatchObject({ name: "Iron Hat", price: 10 });

    await record.getByRole("button", { name: "Save" }).click();
    await conflict.getByRole("button", { name: "Save mine on top" }).click();
    await page.getByText("Changed products/1").waitFor();
    expect((await ask("GET /products/1")).body).toMatchObject({ name: "Iron Hat", price: 11 });
    await page.getByRole("cell", { name: "Iron Hat" }).waitFor();
  });

  inBrowserAtLength("a record deleted meanwhile can be created again from what was typed", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products/2", provokes: [404] });
    const record = page.getByRole("dialog", { name: "products / 2" });
    await record.getByLabel("name", { exact: true }).fill("Oak Chair");
    await ask("DELETE /products/2");
    await record.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Create it again" }).click();
    await page.getByText("Created products/2").waitFor();
    expect((await ask("GET /products/2")).body).toMatchObject({ id: 2, name: "Oak Chair", price: 25.5 });
  });

  inBrowserAtLength("a refused edit says why and keeps what was typed", async () => {
    const { url } = await serve();
    const page = await openConsole(url, { at: "/data/products/1", provokes: [400] });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByLabel("price", { exact: true }).fill("ten");
    await record.getByRole("button", { name: "Save" }).click();
    await record.getByText("Must be a number").waitFor();
    await record.getByLabel("price", { exact: true }).fill("10");
    await record.getByRole("button", { name: "JSON" }).click();
    const typed = '{ "id": 1, "__proto__": 5 }';
    await record.getByLabel("The record as JSON").fill(typed);
    await record.getByRole("button", { name: "Save" }).click();
    await record.getByRole("alert").getByText("Forbidden key").waitFor();
    expect(await record.getByLabel("The record as JSON").inputValue()).toBe(typed);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await record.waitFor({ state: "detached" });
  });

  inBrowserInSoak("create, delete, and both undone", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await page.getByText("Steel Hat").waitFor();
    await page.keyboard.press("n");
    const form = page.getByRole("dialog", { name: "New in products" });
    await form.getByLabel("name", { exact: true }).fill("Paper Hat");
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByText("Created products/13").waitFor();
    expect((await ask("GET /products/13")).body).toEqual({ id: 13, name: "Paper Hat" });
    await page.getByText("13 records").waitFor();
    await page.keyboard.press("u");
    await page.getByText("Undone: created products/13").waitFor();
    await page.getByText("12 records").waitFor();

    await page.getByRole("link", { name: "7", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted products/7").waitFor();
    expect((await ask("GET /products/7")).status).toBe(404);
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone: deleted products/7").waitFor();
    expect((await ask("GET /products/7")).body).toEqual(catalog().products[6]);

    // A request of the user's own making that changes many records is undone in one step, too.
    const before = (await ask("GET /db")).text;
    await page.keyboard.press("3");
    await page.getByLabel("Method").selectOption("PATCH");
    await page.getByLabel("Path", { exact: true }).fill("/products?price:gte=40");
    await page.getByLabel("Body").fill('{ "price": 1 }');
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/^Changed \d records$/).waitFor();
    expect((await ask("GET /db")).text).not.toBe(before);
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await page.getByText(/^Undone: changed \d records$/).waitFor();
    expect((await ask("GET /db")).text).toBe(before);
  });

  inBrowserAtLength("relations lead both ways, and changes from elsewhere appear by themselves", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products?id=3" });
    await page.getByText("steel bottle").waitFor();
    await ask("PATCH /products/3", { name: "Tin Bottle" });
    await page.getByText("Tin Bottle").waitFor();
    await page.getByRole("row").getByRole("link", { name: "2 · " }).click();
    const company = page.getByRole("dialog", { name: "companies / 2" });
    await company.getByRole("link", { name: "products 4 records" }).click();
    await page.getByText("4 of 12 records").waitFor();
    expect(page.url()).toContain("#/data/products?company_id=2");
  });

  inBrowserAtLength("a broken pattern is explained where the list would be", async () => {
    const { url } = await serve();
    const page = await openConsole(url, { at: "/data/products?name_like=(", provokes: [400] });
    await page.getByText("Invalid query").waitFor();
    await page.getByRole("button", { name: "name matches the pattern (", exact: true }).click();
    await page.getByLabel("Value").fill("lamp");
    await page.getByText("2 of 12 records").waitFor();
  });

  inBrowserAtLength("read-only: nothing offers to write", async () => {
    const { url } = await serveForTest(["--read-only"], createFolder(CATALOG));
    const page = await openConsole(url, { at: "/data/products/1" });
    await page.getByRole("dialog").getByLabel("price", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /Save|Delete/ }).count()).toBe(0);
    expect(await page.getByText("New record").count()).toBe(0);
  });
});
