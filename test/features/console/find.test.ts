import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { askAt } from "../../support/api.ts";
import { inBrowser, inBrowserAtLength, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForFile } from "./serve.ts";
import { shop } from "./shop.ts";

const serve = serveForFile([], { "db.json": shop() });

describe("the palette", () => {
  inBrowser("finds a record by its title from anywhere: Ctrl+K, type, Enter", async () => {
    const page = await openConsole(await serve(), { at: "/traffic" });
    await page.getByRole("heading", { name: "Traffic" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("Oak Mug");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "products / 1", exact: true }).waitFor();
  });

  inBrowserAtLength(
    "lists records by content, all of them where there are more, recent ones, and commands of the view",
    async () => {
      const page = await openConsole(await serve(), { at: "/data/products/2" });
      await page.getByRole("heading", { name: "products / 2", exact: true }).waitFor();
      await page.keyboard.press("Control+k");
      const search = page.getByRole("combobox", { name: "Search and commands" });
      const option = (name: string | RegExp) => page.getByRole("option", { name });
      await option("Linen Apron products 2").waitFor();
      await search.fill("glazed");
      await option("Clay Bowl products 4").waitFor();
      expect(await problemsOnTheWay(page)).toEqual([]);
      await search.fill("archived");
      await option("All 8 in products").click();
      await page.getByText("8 of 24 records").waitFor();
      for (const [typed, dialog] of Object.entries({ "export prod": "Export", "rename prod": "Rename products" })) {
        await page.keyboard.press("Control+k");
        await search.fill(typed);
        await page.getByRole("option", { selected: true, name: /^(Export|Rename) products$/ }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: dialog }).waitFor();
        await page.keyboard.press("Escape");
      }
    },
  );
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

inBrowserAtLength(
  "a field is found by typing; enums have ticks with counts, keys a search for records, dates spans",
  async () => {
    const page = await openConsole(await serve(), { at: "/data/products" });
    const ask = async (field: string): Promise<void> => {
      await button(page, "Filter").click();
      await page.locator("[role=combobox]:focus").waitFor();
      await page.keyboard.type(field);
      await page.keyboard.press("Enter");
    };
    await page.getByText("Oak Mug").waitFor();
    await ask("stat");
    await page.getByRole("checkbox", { name: "active 8" }).check();
    await page.getByRole("checkbox", { name: "draft 8" }).check();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await button(page, "Done").click();
    await page.getByText("16 of 24 records").waitFor();
    await ask("maker");
    await page.getByRole("searchbox", { name: "Search makers" }).fill("orsi");
    await page.getByRole("checkbox", { name: "2 · Orsini" }).check();
    await page.keyboard.press("Enter");
    await page.getByText("8 of 24 records").waitFor();
    await button(page, "maker_id is one of 2").waitFor();
    await ask("added");
    await button(page, "Last 7 days").click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^added_on ≥ \d{4}-/ }).waitFor();
    // Counts are those within the other filters.
    await button(page, "Remove: status is one of active, draft").click();
    await page.getByRole("button", { name: /^Remove: added_on/ }).click();
    await ask("status");
    await page.getByRole("checkbox", { name: "active 8" }).waitFor();
    await page.getByRole("checkbox", { name: "draft" }).waitFor({ state: "detached" });
  },
);

inBrowserAtLength("filters can be typed into the search box", async () => {
  const page = await openConsole(await serve(), { at: "/data/products" });
  await page.getByText("Oak Mug").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("price>400 status:active");
  await button(page, "price > 400").waitFor();
  await page.getByText("↵ status = active").waitFor();
  await page.keyboard.press("Enter");
  await button(page, "status = active").waitFor();
  await page.getByText("3 of 24 records").waitFor();
  await expect.poll(() => page.url()).toContain("price:gt=400&status=active");
  expect(await page.getByRole("searchbox", { name: "Search all fields" }).inputValue()).toBe("");
  await page.keyboard.type("prce>1");
  await page.getByText("There is no field prce. Did you mean price?").waitFor();
});

inBrowserAtLength("a column's menu filters, groups, renames and removes its field, each in one change", async () => {
  const url = await serve();
  const page = await openConsole(url, { at: "/data/products" });
  const choose = async (column: string, action: string): Promise<void> => {
    await button(page, `Column ${column}`).click();
    await button(page, action).click();
  };
  const latest = async (): Promise<number> => ((await askAt(url, "GET /__history")).body as { latest: number }).latest;
  await page.getByText("Oak Mug").waitFor();
  await choose("status", "Filter…");
  await page.getByRole("checkbox", { name: "active 8" }).check();
  await page.keyboard.press("Enter");
  await page.getByText("8 of 24 records").waitFor();
  const before = await latest();
  await choose("status", "Rename field…");
  await page.getByRole("textbox", { name: "Name" }).fill("state");
  await page.keyboard.press("Enter");
  await page.getByText("Renamed status to state in 24 records").waitFor();
  await page.getByRole("columnheader", { name: "state" }).waitFor();
  await button(page, "state is one of active").waitFor();
  await page.getByText("8 of 24 records").waitFor();
  await expect.poll(() => page.url()).toContain("state:in=active");
  expect(await latest()).toBe(before + 1);
  expect(Object.keys((await askAt(url, "GET /products/1")).body as JsonObject).slice(2, 4)).toEqual(["price", "state"]);
  await choose("state", "Remove field…");
  await button(page, "Remove").click();
  await page.getByRole("columnheader", { name: "state" }).waitFor({ state: "detached" });
  expect(await latest()).toBe(before + 2);
  await page.keyboard.press("u");
  await page.getByRole("columnheader", { name: "state" }).waitFor();
  await page.keyboard.press("u");
  await page.getByRole("columnheader", { name: "status" }).waitFor();
  await choose("maker_id", "Group by this");
  await page.getByText("24 records in 3 groups").waitFor();
});

inBrowserAtLength("a logged request is copied as curl in two clicks", async () => {
  const url = await serve();
  await askAt(url, "GET /products?price:gt=400&_limit=2");
  const profile = { permissions: ["clipboard-read", "clipboard-write"] };
  const page = await openConsole(url, { at: "/traffic", profile });
  await page.getByRole("button", { name: "/products?price:gt=400" }).click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("Copied").waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  expect(copied).toContain(`curl '${url}/products?price:gt=400&_limit=2'`);
});
