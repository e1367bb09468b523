import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { inBrowser, inBrowserAtLength, openConsole, problemsOnTheWay } from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
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

const cell = (page: Page, id: number, field: string) =>
  page.locator(`tr:has([data-field=id] a:text-is("${id}")) [data-field=${field}]`);
const selected = (page: Page) => page.getByRole("region", { name: "Selected records" });

inBrowserAtLength("358 prices are raised by 10 % with 5 clicks, and lowered by one undo", async () => {
  const { page, ask, clicks } = await openProducts("?status=active");
  const before = (await ask("GET /products")).text;
  await clicks.on(page.getByRole("checkbox", { name: "Select all that match" }));
  await clicks.on(selected(page).getByRole("button", { name: "Edit" }));
  const dialog = page.getByRole("dialog", { name: "Edit 358 records" });
  await clicks.choose(dialog.getByLabel("Field", { exact: true }), "price");
  await clicks.choose(dialog.getByLabel("Change", { exact: true }), "increase");
  const box = dialog.getByLabel("Amount");
  await box.fill("a lot");
  await page.keyboard.press("Enter");
  await dialog.getByText("The amount must be a number or a percentage.").waitFor();
  await box.fill("10%");
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

inBrowserAtLength("40 names are filled with plausible ones, each of its own", async () => {
  const { page, ask } = await openProducts("?id:lte=40");
  await page.getByRole("checkbox", { name: "Select all that match" }).click();
  await selected(page).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit 40 records" });
  await dialog.getByLabel("Field", { exact: true }).selectOption("name");
  await dialog.getByLabel("Change", { exact: true }).selectOption("fill");
  await dialog.getByRole("button", { name: "Change 40 records" }).click();
  await page.getByText("Changed 40 records of products").waitFor();
  const names = ((await ask("GET /products?id:lte=40")).body as { name: string }[]).map(({ name }) => name);
  expect(new Set(names).size).toBeGreaterThan(20);
});

inBrowserAtLength("a field is added to all records with 4 clicks", async () => {
  const { page, ask, clicks } = await openProducts();
  await clicks.on(page.getByRole("checkbox", { name: "Select all that match" }));
  await clicks.on(selected(page).getByRole("button", { name: "Edit" }));
  const dialog = page.getByRole("dialog", { name: "Edit 400 records" });
  await clicks.choose(dialog.getByLabel("Field", { exact: true }), "");
  await dialog.getByLabel("Name of the new field").fill("price");
  await page.keyboard.press("Enter");
  await dialog.getByText("There is a field price already.").waitFor();
  await dialog.getByLabel("Name of the new field").fill("season");
  await dialog.getByLabel("season").fill("winter");
  await clicks.on(dialog.getByRole("button", { name: "Change 400 records" }));
  await page.getByText("Changed 400 records of products").waitFor();
  expect(clicks.count).toBe(4);
  expect((await ask("GET /products?season=winter&_aggregate=count")).body).toEqual([{ count: 400 }]);
  await page.getByRole("columnheader", { name: /season/ }).waitFor();
});

inBrowserAtLength("three edits are undone and one is made again, also after the page is loaded again", async () => {
  const { page, ask } = await openProducts();
  const before = (await ask("GET /products")).text;
  for (const id of [1, 2, 3]) {
    await cell(page, id, "name").dblclick();
    await page.getByRole("group", { name: /^Edit / }).waitFor();
    await page.keyboard.type(`New ${id}`);
    await page.keyboard.press("Enter");
    await page.getByText(`Changed products/${id}`).waitFor();
  }
  await page.keyboard.press("Control+z");
  await page.getByText("Undone: changed products/3").waitFor();
  await page.reload();
  await page.getByText("New 1").waitFor();
  for (const id of [2, 1]) {
    await page.keyboard.press("Control+z");
    await page.getByText(`Undone: changed products/${id}`).waitFor();
  }
  expect((await ask("GET /products")).text).toBe(before);
  await page.keyboard.press("Control+z");
  await page.getByText("Nothing to undo").waitFor();
  await page.keyboard.press("Control+Shift+Z");
  await page.getByText("Redone: changed products/1").waitFor();
  expect((await ask("GET /products/1")).body).toMatchObject({ name: "New 1" });
});

inBrowserAtLength("deleted records return to their places", async () => {
  const { page, ask } = await openProducts();
  const before = (await ask("GET /products")).text;
  for (const id of [3, 5]) await page.getByRole("checkbox", { name: `Select ${id}`, exact: true }).click();
  await selected(page).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete 2 records" }).click();
  await page.getByText("Deleted 2 records of products").waitFor();
  await page.keyboard.press("u");
  await page.getByText("Undone: deleted 2 records of products").waitFor();
  expect((await ask("GET /products")).text).toBe(before);
});

describe("the keys of a spreadsheet", () => {
  /** Puts a text on the clipboard, as another program does. */
  const copyElsewhere = async (page: Page, text: string) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  };

  inBrowserAtLength("a block of 3 x 5 cells is pasted as one change, which one undo takes back", async () => {
    const { page, ask } = await openProducts("", [422]);
    const before = (await ask("GET /products")).text;
    const rows = ["Oak Mug\t1.5\tdraft\t7\ttrue", '"two\nlines"\t2\tsold\t\tFALSE', "=1+1\t3\tactive\t9\ttrue"];
    await copyElsewhere(page, rows.join("\r\n"));
    await cell(page, 2, "name").click();
    await page.keyboard.press("Control+v");
    await page.getByText("Pasted 14 cells into products").waitFor();
    expect((await ask("GET /products?id:in=1,2,3,4,5")).body).toEqual([
      PRODUCTS[0],
      { id: 2, name: "Oak Mug", price: 1.5, status: "draft", stock: 7, on_sale: true },
      { id: 3, name: "two\nlines", price: 2, status: "sold", stock: null, on_sale: false },
      { id: 4, name: "=1+1", price: 3, status: "active", stock: 9, on_sale: true },
      PRODUCTS[4],
    ]);
    await page.keyboard.press("Control+z");
    await page.getByText("Undone: pasted 14 cells into products").waitFor();
    expect((await ask("GET /products")).text).toBe(before);

    // A cell that does not fit its column: nothing is changed, and the reason is said.
    await copyElsewhere(page, "New\tmuch");
    await cell(page, 2, "name").click();
    await page.keyboard.press("Control+v");
    const dialog = page.getByRole("dialog", { name: "Nothing was changed" });
    await dialog.getByText('price in row 1 of the block: "much" is not a number.').waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    expect((await ask("GET /products")).text).toBe(before);
  });

  inBrowser("typing replaces, Delete clears, Ctrl+D fills down, Ctrl+C copies, a click toggles", async () => {
    const { page, ask } = await openProducts();
    const product = async (id: number) => (await ask(`GET /products/${id}`)).body;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Letters are kept that come before the code of the editor. What a worker serves cannot be held.
    if (!IS_DEMO) {
      await page.route(/\/row-tools-[^/]*\.js/, (route) => held.then(() => route.continue()));
      await page.reload();
    }
    await cell(page, 1, "name").click();
    await page.keyboard.type("nut");
    release();
    await page.getByRole("group", { name: /^Edit / }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => product(1)).toMatchObject({ name: "nut" });
    await page.getByRole("group", { name: /^Edit / }).waitFor({ state: "detached" });

    await cell(page, 1, "name").getByText("nut").waitFor();
    await copyElsewhere(page, "");
    await page.keyboard.press("Control+c");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("nut");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+d");
    await expect.poll(() => product(2)).toMatchObject({ name: "nut" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Delete");
    await expect.poll(() => product(3)).toMatchObject({ name: null });

    // Keys are quicker than the response: each press takes back one change, and none is forgotten.
    let respond = (): void => {};
    const unanswered = new Promise<void>((resolve) => {
      respond = resolve;
    });
    if (!IS_DEMO) {
      await page.route("**/products/1", async (route) => {
        const response = await route.fetch();
        if (route.request().method() !== "GET") await unanswered;
        await route.fulfill({ response });
      });
    }
    await cell(page, 1, "on_sale").locator(".switch").click();
    await expect.poll(() => product(1)).toMatchObject({ on_sale: false });
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    respond();
    await expect.poll(() => product(3)).toMatchObject({ name: "Product 3" });
    expect(await product(1)).toMatchObject({ on_sale: true });
    expect(await product(2)).toMatchObject({ name: "nut" });

    // With ticked rows: fill all of them, copy all of them, and ask before they are deleted.
    for (const id of [4, 5]) await page.getByRole("checkbox", { name: `Select ${id}`, exact: true }).click();
    await cell(page, 4, "price").click();
    await page.keyboard.press("Control+d");
    await expect.poll(() => product(5)).toMatchObject({ price: 13 });
    await page.getByText("Changed 1 record of products").waitFor();
    await cell(page, 5, "price").getByText("13").waitFor();
    await cell(page, 4, "price").click();
    await page.keyboard.press("Control+c");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "4\tProduct 4\t13\tactive\t3\tfalse\n5\tProduct 5\t13\tactive\t4\ttrue",
    );
    await page.keyboard.press("Delete");
    await page.getByRole("dialog", { name: "Delete 2 records?" }).waitFor();
  });
});

inBrowserAtLength("any number of plausible records is made in one change", async () => {
  const { page, ask } = await openProducts();
  const before = (await ask("GET /products")).text;
  await page.getByRole("button", { name: "Actions for products" }).click();
  await page.getByRole("menuitem", { name: "Generate records…" }).click();
  const dialog = page.getByRole("dialog", { name: "Generate records of products" });
  const number = dialog.getByLabel("Number of records");
  for (const wrong of ["", "0", "1.5", "10001"]) {
    await number.fill(wrong);
    await dialog.getByRole("button", { name: /^Create/ }).click();
    // The browser says why, and leads back to the box.
    expect(await page.evaluate("document.activeElement.validationMessage")).not.toBe("");
  }
  await number.fill("25");
  await dialog.getByRole("button", { name: "Create 25 records" }).click();
  await page.getByText("Created 25 records of products").waitFor();
  expect((await ask("GET /products?_aggregate=count")).body).toEqual([{ count: 425 }]);
  await page.keyboard.press("Control+z");
  await page.getByText("Undone: created 25 records of products").waitFor();
  expect((await ask("GET /products")).text).toBe(before);
});
