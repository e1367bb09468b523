import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { inBrowser, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForFile } from "./serve.ts";

/** 400 products, 358 of them active. */
const PRODUCTS = Array.from({ length: 400 }, (_, at) => ({
  id: at + 1,
  name: `Product ${at + 1}`,
  price: at + 10,
  status: at < 358 ? "active" : "draft",
  stock: at % 7,
  on_sale: at % 2 === 0,
}));
const serve = serveForFile([], { "db.json": { products: PRODUCTS } });

async function openProducts(query = "", provokes: readonly number[] = []) {
  const url = await serve();
  const page = await openConsole(url, { at: `/data/products${query}`, provokes });
  await page.getByText("Product 1", { exact: true }).waitFor();
  const ask = (line: string) => askAt(url, line);
  return { page, ask, clicks: countClicks() };
}

/** Clicks on things, and counts them. Choosing from a list is one click. */
function countClicks() {
  let count = 0;
  return {
    on: (target: Locator) => {
      count++;
      return target.click();
    },
    choose: (list: Locator, value: string) => {
      count++;
      return list.selectOption(value);
    },
    get count() {
      return count;
    },
  };
}

const selected = (page: Page) => page.getByRole("region", { name: "Selected records" });

describe("many records at once", () => {
  inBrowser("358 prices are raised by 10 % with 5 clicks and an expression, and lowered by one undo", async () => {
    const { page, ask, clicks } = await openProducts("?status=active", [400]);
    const before = (await ask("GET /products")).text;
    await clicks.on(page.getByRole("checkbox", { name: "Select all that match" }));
    await clicks.on(selected(page).getByRole("button", { name: "Edit" }));
    const dialog = page.getByRole("dialog", { name: "Edit 358 records" });
    await clicks.choose(dialog.getByLabel("Field", { exact: true }), "price");
    await clicks.choose(dialog.getByLabel("Change", { exact: true }), "expression");
    const box = dialog.getByLabel("Expression");
    // A mistake is shown under the box, with its place.
    await box.fill("rond(price");
    await dialog.getByText("Position 11: ) is expected here, not the end.").waitFor();
    await box.fill("round(price * 1.1, 2)");
    await dialog.getByText("358 records change; the first 5").waitFor();
    expect(await dialog.locator(".compute-preview tbody tr").allInnerTexts()).toEqual([
      "1\t10\t11",
      "2\t11\t12.1",
      "3\t12\t13.2",
      "4\t13\t14.3",
      "5\t14\t15.4",
    ]);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await clicks.on(dialog.getByRole("button", { name: "Change 358 records" }));
    await page.getByText("Changed 358 records of products").waitFor();
    expect(clicks.count).toBe(5);
    const now = (await ask("GET /products")).body as { price: number }[];
    expect([now[0]?.price, now[357]?.price, now[358]?.price]).toEqual([11, 403.7, 368]);
    await page.keyboard.press("Control+z");
    await page.getByText("Undone: changed 358 records of products").waitFor();
    expect((await ask("GET /products")).text).toBe(before);
  });

  inBrowser("a field is added to all records with 4 clicks", async () => {
    const { page, ask, clicks } = await openProducts();
    await clicks.on(page.getByRole("checkbox", { name: "Select all that match" }));
    await clicks.on(selected(page).getByRole("button", { name: "Edit" }));
    const dialog = page.getByRole("dialog", { name: "Edit 400 records" });
    await clicks.choose(dialog.getByLabel("Field", { exact: true }), "");
    await dialog.getByLabel("Name of the new field").fill("season");
    await dialog.getByLabel("season").fill("winter");
    await clicks.on(dialog.getByRole("button", { name: "Change 400 records" }));
    await page.getByText("Changed 400 records of products").waitFor();
    expect(clicks.count).toBe(4);
    expect((await ask("GET /products?season=winter&_aggregate=count")).body).toEqual([{ count: 400 }]);
    await page.getByRole("columnheader", { name: /season/ }).waitFor();
  });
});
