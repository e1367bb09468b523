import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { inBrowser, inBrowserAtLength, inBrowserInSoak, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForFile } from "./serve.ts";
import { shop } from "./shop.ts";

const serve = serveForFile([], { "db.json": shop() });
const WIDE = { width: 1600, height: 900 };

describe("the record panel", () => {
  inBrowserAtLength("stands beside the table on a wide screen, and goes to the previous and next record", async () => {
    const page = await openConsole(await serve(), { at: "/data/products", viewport: WIDE });
    const open = (id: number) =>
      page
        .locator("[data-field=id]")
        .getByRole("link", { name: `${id}`, exact: true })
        .click();
    await open(2);
    const panel = (id: number) => page.getByRole("dialog", { name: `products / ${id}`, exact: true });
    await panel(2).getByLabel("price", { exact: true }).waitFor();
    const box = await panel(2).boundingBox();
    const table = await page.getByRole("region", { name: "Records of products" }).boundingBox();
    expect((table?.x ?? 0) + (table?.width ?? 9999)).toBeLessThanOrEqual(box?.x ?? 0);
    expect(await problemsOnTheWay(page)).toEqual([]);
    // The table can still be used.
    await open(4);
    await panel(4).getByRole("button", { name: "Next record" }).click();
    await panel(5).getByLabel("price", { exact: true }).waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await panel(4).getByLabel("price", { exact: true }).fill("1");
    await panel(4).getByRole("button", { name: "Previous record" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await panel(3).getByLabel("price", { exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  inBrowserAtLength("shows pictures, links, chips, objects as forms, and Markdown", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products/4" });
    const record = page.getByRole("dialog", { name: "products / 4" });
    await record.locator("img.field-picture").waitFor();
    expect(await record.getByRole("link", { name: "Open" }).getAttribute("href")).toBe(
      "https://shop.example.com/products/4",
    );
    await record.getByRole("button", { name: "Preview" }).click();
    await record.locator(".markdown strong").getByText("twice").waitFor();
    await record.getByRole("button", { name: "Remove sale" }).click();
    await record.getByRole("textbox", { name: "tags" }).fill("rare");
    await page.keyboard.press("Enter");
    const width = record.getByRole("group", { name: "size" }).getByLabel("width");
    await width.fill("wide");
    await record.getByRole("button", { name: "Save" }).click();
    await record.getByText("Is not complete: width must be a number").waitFor();
    expect(await width.inputValue()).toBe("wide");
    await width.fill("77");
    expect(await problemsOnTheWay(page)).toEqual([]);
    await record.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed products/4").waitFor();
    expect((await askAt(url, "GET /products/4")).body).toMatchObject({
      tags: ["rare"],
      size: { width: 77, height: 7 },
    });
  });

  inBrowserInSoak("lists related records, and adds one that refers to this record", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/makers/2" });
    const related = page.getByRole("region", { name: "Related" });
    await related.getByRole("link", { name: "products 8 records" }).waitFor();
    await related.getByRole("link", { name: "2 Linen Apron" }).waitFor();
    await related.getByRole("button", { name: "Add to products" }).click();
    await page.getByRole("dialog", { name: "New in products" }).waitFor();
    await page.locator("textarea[aria-label=name]:focus").waitFor();
    await page.keyboard.type("Fir Box");
    await page.keyboard.press("Control+Enter");
    await related.getByRole("link", { name: "products 9 records" }).waitFor();
    expect((await askAt(url, "GET /products/25")).body).toEqual({ id: 25, name: "Fir Box", maker_id: 2 });
  });

  inBrowser("a new record with two relations needs no mouse: the first field has the focus", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await page.getByText("Oak Mug").waitFor();
    await page.keyboard.press("n");
    await page.locator("textarea[aria-label=name]:focus").waitFor();
    await page.keyboard.type("Elm Stool");
    const hasFocus = (field: string) =>
      expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe(field);
    // One Tab for each field.
    for (const [field, typed, found] of [
      ["price"],
      ["status"],
      ["maker_id", "baue", "3 Bauer"],
      ["category_id", "livi", "2 Living"],
    ] as const) {
      await page.keyboard.press("Tab");
      await hasFocus(field);
      if (!typed) continue;
      await page.keyboard.type(typed);
      await page.getByRole("option", { name: found, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.value")).toBe(found.replace(" ", " · "));
    }
    // The options of a field are a key away, and another control takes over the focus of the old one.
    await page.keyboard.press("Alt+Enter");
    await page.getByRole("menu", { name: "Options of category_id" }).waitFor();
    await page.keyboard.press("Escape");
    await hasFocus("category_id");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Alt+Enter");
    await page.getByRole("menuitemradio", { name: "JSON" }).press("Enter");
    await page.locator("textarea[aria-label=maker_id]:focus").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await askAt(url, "GET /products/25")).body).toEqual({
      id: 25,
      name: "Elm Stool",
      maker_id: 3,
      category_id: 2,
    });
    // The record is at the end of the list, and one click away.
    await page.getByRole("status").getByRole("link", { name: "Open" }).click();
    await page.getByRole("dialog", { name: "products / 25" }).waitFor();
  });
});
