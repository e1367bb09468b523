import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { problemInSample } from "../../../console/src/data/collection-sample.ts";
import { askAt } from "../../support/api.ts";
import { inBrowser, inBrowserAtLength, inBrowserInSoak, openConsole, problemsOnTheWay } from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
import { serveForFile } from "./serve.ts";
import { shop } from "./shop.ts";

const serve = serveForFile([], { "db.json": shop() });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test.each([
  [["title text", "state choice open"], undefined],
  [["title text", " text"], "Field 2 needs a name."],
  [["title text", "title number"], "Two fields are called title. Rename one of them."],
  [["state choice ,"], "state has no values to choose from. Type some, such as open, paid, sent."],
] as const)("the fields %j of a new collection: %s", (lines, problem) => {
  const fields = lines.map((line) => {
    const [name = "", type = "", of = ""] = line.split(" ");
    return { name, type: type as "text" | "number" | "choice", of };
  });
  expect(problemInSample(fields)).toBe(problem);
});

describe("views of a collection", () => {
  inBrowserInSoak("a filtered list is saved under a name, and opened from the navigation", async () => {
    const page = await openConsole(await serve(), { at: "/data/products?status=active&_sort=-price" });
    await page.getByText("8 of 24 records").waitFor();
    await button(page, "Save view").click();
    await page.getByLabel("Name of the view").fill("Dear ones");
    await page.keyboard.press("Enter");
    await button(page, "Save view").click();
    await page.getByLabel("Name of the view").fill("Dear ones ");
    await page.getByText("There is a view of this name. Save replaces it.").waitFor();
    await page.keyboard.press("Escape");
    const collections = page.getByRole("navigation", { name: "Collections" });
    await collections.getByRole("link", { name: /^products/ }).click();
    await page.getByText("24 records").waitFor();
    await page.reload();
    await collections.getByRole("link", { name: "Dear ones" }).click();
    await page.getByText("8 of 24 records").waitFor();
    expect(page.url()).toContain("status=active&_sort=-price");
    expect(await problemsOnTheWay(page)).toEqual([]);
    await collections.getByRole("link", { name: "Dear ones" }).hover();
    await button(page, "Remove view Dear ones").click();
    await collections.getByRole("link", { name: "Dear ones" }).waitFor({ state: "detached" });
  });

  inBrowserAtLength("rows can be compact, cut-off values peeked at, and changes by others light up", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products", hasMotion: true });
    await page.getByText("Oak Mug").waitFor();
    const height = () => page.evaluate("document.querySelector('tbody tr').getBoundingClientRect().height");
    expect(await height()).toBe(40);
    // Short texts need less room than long ones.
    const width = (name: string) => page.getByRole("columnheader", { name, exact: true }).boundingBox();
    expect((await width("name"))?.width).toBeLessThan(200);
    await button(page, "Columns").click();
    await page.getByRole("checkbox", { name: "Compact rows" }).check();
    await page.keyboard.press("Escape");
    await expect.poll(height).toBe(28);
    await page.locator('[data-row="3"] [data-field=note]').hover();
    await page.getByRole("tooltip").getByText("near the harbour").waitFor();
    await askAt(url, "PATCH /products/2", { body: { price: 999 } });
    await page.locator('[data-row="1"] [data-field=price].is-changed').getByText("999").waitFor();
    expect(await page.locator(".is-changed").count()).toBeLessThanOrEqual(1);
  });

  inBrowser("pictures make a gallery, coordinates a map; a collection without them has neither", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await button(page, "Gallery").click();
    const gallery = page.getByRole("region", { name: "Gallery of products" });
    await gallery.getByRole("link", { name: /Oak Mug/ }).waitFor();
    expect(await gallery.locator("img").count()).toBe(24);
    expect(await button(page, "Map").count()).toBe(0);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await gallery.getByRole("link", { name: /Oak Mug/ }).click();
    await page.getByRole("dialog", { name: "products / 1", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await gallery.waitFor();
    await page.goto(`${page.url().split("#")[0]}#/data/makers`);
    await button(page, "Map").click();
    await page.getByRole("region", { name: "Map of makers" }).getByRole("link", { name: "Perlman" }).waitFor();
    await page.getByText("3 of 3 records have a place").waitFor();
    expect(await button(page, "Gallery").count()).toBe(0);
    expect(await button(page, "Board").count()).toBe(0);
    expect(await problemsOnTheWay(page)).toEqual([]);
  });

  inBrowserAtLength("a card of the board changes its record, by dragging and by the keyboard", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await button(page, "Board").click();
    const column = (name: string) => page.getByRole("region", { name, exact: true });
    const card = (name: string, title: RegExp) => column(name).getByRole("link", { name: title });
    await card("draft", /Oak Mug/).dragTo(column("archived"));
    await card("archived", /Oak Mug/).waitFor();
    expect((await askAt(url, "GET /products/1")).body).toMatchObject({ status: "archived" });
    expect(await problemsOnTheWay(page)).toEqual([]);
    const names = await page
      .locator(".board-column")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    const before = names[names.indexOf("archived") - 1] ?? "";
    await page.locator("[data-card='1']").focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await card(before, /Oak Mug/).waitFor();
    await page.locator("[data-card='1']:focus").waitFor();
    expect((await askAt(url, "GET /products/1")).body).toMatchObject({ status: before });
    await page.getByText("PATCH /products/1 · 200").waitFor();
  });

  inBrowserAtLength("groups are made of months with a chart along the time, and of the elements of lists", async () => {
    const page = await openConsole(await serve(), { at: "/data/products?_group=status" });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Before the records are here, nothing tells that a field holds dates. Requests to a worker cannot be held.
    if (!IS_DEMO) {
      await page.route(/\/products\?(?!.*_group)/, (route) => held.then(() => route.continue()));
      await page.reload();
      await page.locator(".group-bar select:disabled").first().waitFor();
    }
    release();
    await page.getByLabel("Group by").selectOption("added_on");
    await page.getByText("24 records in 3 groups").waitFor();
    await page.getByRole("img", { name: "Records by month" }).waitFor();
    await page.getByLabel("by", { exact: true }).selectOption("year");
    await page.getByText("24 records in 1 group").waitFor();
    await page.getByLabel("Group by").selectOption("tags");
    await page.getByText("24 records in 3 groups").waitFor();
    const names = () => page.locator(".groups tbody td.group-name").allTextContents();
    await expect.poll(async () => (await names()).toSorted()).toEqual(["gift", "new", "sale"]);
    await page.getByLabel("Group by").selectOption("added_on");
    await button(page, "2026-02").click();
    await page.getByText("8 of 24 records").waitFor();
    expect(page.url()).toContain("added_on:gte=2026-02&added_on:lt=2026-03");
  });
});
