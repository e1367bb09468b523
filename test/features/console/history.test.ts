import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowserAtLength, inBrowserWithServer, openConsole, openPage, PHONE, problemsOnTheWay } from "./browser.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const MANY = 20_000;
const lines = Array.from({ length: MANY }, (_, at) => ({ id: at + 1, amount: at % 7 }));
const serve = serveForFile([], { "db.json": { ...catalog(), lines } });

/** A server whose history goes on from test to test: versions are counted from the reset at the start of each. */
async function begin() {
  const url = await serve();
  const ask = async (line: string, body?: unknown) => (await askAt(url, line, body === undefined ? {} : { body })).body;
  const latest = async () => ((await ask("GET /__history?limit=1")) as { latest: number }).latest;
  return { url, ask, start: await latest() };
}

const heading = (page: Page, version: number) =>
  page.getByRole("heading", { name: `Version ${version}`, exact: true }).waitFor();
const scrubber = (page: Page) => page.getByRole("slider", { name: "Version" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, record: string, row: string) =>
  page.getByRole("region", { name: record }).getByRole("row", { name: new RegExp(`^${row} `) });

/** In light and in dark, in the soak. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await problemsOnTheWay(page), colorScheme).toEqual([]);
  }
}

describe("the history in the console", () => {
  inBrowserWithServer("a timeline that goes on by itself, a scrubber, and the change of each version", async () => {
    const { url, ask, start } = await begin();
    await ask("PATCH /products/1", { price: 1 });
    await ask("PATCH /products/2", { price: 2 });
    await ask("DELETE /products/3");
    const page = await openConsole(url, { at: "/history" });
    await heading(page, start + 3);
    await page.getByRole("region", { name: "products 3, removed" }).waitFor();
    expect(await scrubber(page).getAttribute("aria-valuetext")).toMatch(/^Version \d+, .*, products: 1 removed$/);

    // With the keyboard alone: from version to version, and the address says where.
    await scrubber(page).focus();
    await page.keyboard.press("ArrowLeft");
    await heading(page, start + 2);
    await field(page, "products 2, changed", "price").getByText("2", { exact: true }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await heading(page, start + 1);
    expect(new URL(page.url()).hash).toBe(`#/history/${start + 1}`);
    expect(await page.locator(".version[aria-current]").textContent()).toContain(String(start + 1));

    // A change from elsewhere appears; the selected one stays.
    await ask("POST /companies", { name: "New Ltd" });
    await page.getByText("companies: 1 created").waitFor();
    await heading(page, start + 1);
    await page.getByLabel("Collection", { exact: true }).selectOption("companies");
    await expect.poll(() => page.locator(".version").count()).toBeLessThan(4);
    await heading(page, start + 4);
    await page.getByLabel("By", { exact: true }).selectOption("127.0.0.1");
    expect(new URL(page.url()).hash).toBe("#/history?collection=companies&by=127.0.0.1");
    await expectAccessible(page);
  });

  inBrowserAtLength("older versions come when the end of the list is reached, or a link leads there", async () => {
    const { url, ask, start } = await begin();
    for (let at = 0; at < 60; at++) await ask("PATCH /products/1", { price: at });
    const linked = await openConsole(url, { at: `/history/${start + 1}` });
    await heading(linked, start + 1);
    const page = await openConsole(url, { at: "/history", viewport: PHONE });
    await page.getByRole("button", { name: "Show older" }).scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator(".version").count()).toBeGreaterThan(60);
    await expectAccessible(page);
    // A version that is not there is named, and the nearest one shown.
    await page.goto(`${url}/__console#/history/99999999`);
    await page.getByText(`There is no version 99999999. Version ${start + 60} is shown instead.`).waitFor();
    await ask("POST /companies", { name: "New Ltd" });
    await page.goto(`${url}/__console#/history/${start + 61}?collection=products`);
    await page.getByText(`Version ${start + 61} is not among these changes. Version ${start + 60} is shown`).waitFor();
    await page.goto(`${url}/__console#/history/${start + 2}`);
    await heading(page, start + 2);
    expect(await page.getByRole("alert").filter({ hasText: "is shown instead" }).count()).toBe(0);
  });

  inBrowserAtLength("a change is reverted, by fields where others have changed since, and that is undone", async () => {
    const { url, ask, start } = await begin();
    const { products } = catalog();
    await ask("PATCH /products/1", { price: 1 });
    await ask("PATCH /products/1", { name: "Renamed" });
    const page = await openConsole(url, { at: `/history/${start + 1}`, provokes: [409] });
    await button(page, "Revert this change").click();
    const dialog = page.getByRole("dialog", { name: `Version ${start + 1} was not reverted` });
    const name = dialog.getByRole("row", { name: /^name / });
    expect(await name.getByRole("cell").allTextContents()).toEqual([products[0]!.name, products[0]!.name, "Renamed"]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Merge fields" }).click();
    await page.getByText(`Reverted version ${start + 1}`).waitFor();
    expect(await ask("GET /products/1")).toEqual({ ...products[0], name: "Renamed" });
    await page.getByText("revert", { exact: true }).first().waitFor();

    await page.keyboard.press("u");
    await page.getByText(`Undone: reverted version ${start + 1}`).waitFor();
    expect(await ask("GET /products/1")).toMatchObject({ price: 1, name: "Renamed" });
    // The same field again: no way but the later version first.
    await ask("PATCH /products/1", { price: 2 });
    await button(page, "Revert this change").click();
    await dialog.getByRole("button", { name: "Merge fields" }).click();
    await dialog.getByText("The same fields are concerned").waitFor();
    await dialog.getByRole("button", { name: "Keep all as it is" }).click();

    await button(page, "Restore to here").click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore to here" }).click();
    await page.getByText(`Restored to version ${start + 1}`).waitFor();
    expect(await ask("GET /products/1")).toEqual({ ...products[0], price: 1 });
  });

  inBrowserAtLength("the past is opened, moved through and restored, and nothing of it can be changed", async () => {
    const { url, ask, start } = await begin();
    await ask("PATCH /products/1", { name: "Old Hat" });
    await ask("PATCH /products/1", { name: "New Hat" });
    await ask("DELETE /products/2");
    const page = await openConsole(url, { at: `/history/${start + 1}` });
    await button(page, "Open at this moment").click();
    await page.getByText(`You are looking at version ${start + 1}`).waitFor();
    await page.getByRole("heading", { name: "products" }).waitFor();
    await page.getByText("Old Hat").waitFor();
    await page.getByText("12 records").waitFor();
    expect(await page.getByText("New record").count()).toBe(0);
    await page.getByText(`/__at/${start + 1}/products?`).waitFor();
    expect(new URL(page.url()).search).toBe(`?at=${start + 1}`);
    await expectAccessible(page);

    // A change of the present leaves the past as it is; the scrubber goes to other moments.
    await scrubber(page).press("ArrowRight");
    await page.getByText("New Hat").waitFor();
    await scrubber(page).press("ArrowRight");
    await page.getByText("11 records").waitFor();
    await scrubber(page).press("ArrowLeft");
    await page.getByText("12 records").waitFor();

    await button(page, "Restore to here").click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore to here" }).click();
    await page.getByText(`Restored to version ${start + 2}`).waitFor();
    await page.getByText("12 records").waitFor();
    expect(await ask("GET /products/1")).toMatchObject({ name: "New Hat" });
    await page.getByText("New record").waitFor();
  });

  inBrowserAtLength("an address leads to a moment of a record, of the diagram and of groups", async () => {
    const { url, ask, start } = await begin();
    await ask("PATCH /products/1", { name: "Old Hat" });
    await ask("PATCH /products/1", { name: "New Hat" });
    await ask("DELETE /products/2");
    const shared = await openPage(url, `/__console?at=${start + 1}#/data/products/1`);
    const record = shared.getByRole("dialog", { name: "products / 1" });
    expect(await record.getByLabel("name", { exact: true }).inputValue()).toBe("Old Hat");
    expect(await record.getByRole("button", { name: "Save" }).count()).toBe(0);
    await shared.goto(`${url}/__console?at=${start + 3}#/`);
    await shared
      .getByText(/11 records|20,014 records/)
      .first()
      .waitFor();
    // The scrubber drives the diagram and the groups, too.
    const products = shared
      .getByRole("main")
      .getByRole("link", { name: /^products/ })
      .first();
    await expect.poll(() => products.innerText()).toContain("11");
    await scrubber(shared).press("ArrowLeft");
    await expect.poll(() => products.innerText()).toContain("12");
    await shared.goto(`${url}/__console?at=${start + 2}#/data/products?_group=company_id`);
    await shared.getByText(/^12 records in/).waitFor();
    await scrubber(shared).press("ArrowRight");
    await shared.getByText(/^11 records in/).waitFor();
    await button(shared, "Back to now").click();
    await shared.getByText("You are looking at").waitFor({ state: "detached" });
    expect(new URL(shared.url()).search).toBe("");
  });

  inBrowserAtLength("the editor of a record has its versions, and puts one back", async () => {
    const { url, ask, start } = await begin();
    await ask("PATCH /products/1", { price: 1 });
    await ask("PATCH /products?id:lte=5", { price: 2 });
    const page = await openConsole(url, { at: "/data/products/1" });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByRole("button", { name: "History", exact: true }).click();
    const first = record.getByRole("article", { name: `Version ${start + 1}` });
    expect(await first.getByRole("row", { name: /^price / }).textContent()).toMatch(/1$/);
    await record.getByRole("article", { name: `Version ${start + 2}` }).waitFor();
    await expectAccessible(page);
    await first.getByRole("button", { name: "Restore this version of the record" }).click();
    await record.getByRole("article", { name: `Version ${start + 3}` }).waitFor();
    expect(await ask("GET /products?_limit=2&_fields=price")).toEqual([{ price: 1 }, { price: 2 }]);
    await first.getByRole("button", { name: "Open at this moment" }).click();
    await page.getByText(`You are looking at version ${start + 1}`).waitFor();
    await record.getByRole("button", { name: "Record", exact: true }).click();
    expect(await record.getByLabel("price", { exact: true }).inputValue()).toBe("1");
  });

  inBrowserAtLength("a record that is gone returns to its place from its versions", async () => {
    const { url, ask, start } = await begin();
    const before = await ask("GET /products");
    await ask("PATCH /products/2", { price: 1 });
    const page = await openConsole(url, { at: "/data/products/2", provokes: [404] });
    const record = page.getByRole("dialog", { name: "products / 2" });
    await record.getByRole("button", { name: "History", exact: true }).click();
    await ask("DELETE /products?id:in=2,3");
    const first = record.getByRole("article", { name: `Version ${start + 1}` });
    await record.getByRole("article", { name: `Version ${start + 2}` }).waitFor();
    await first.getByRole("button", { name: "Restore this version of the record" }).click();
    await record.getByRole("article", { name: `Version ${start + 3}` }).waitFor();
    const [one, two, , ...others] = before as { price: number }[];
    expect(await ask("GET /products")).toEqual([one, { ...two, price: 1 }, ...others]);
  });

  inBrowserAtLength(`a change of ${MANY} records is undone in one step, and others step by step`, async () => {
    const { url, ask } = await begin();
    const before = await ask("GET /lines");
    const page = await openConsole(url, { at: "/data/lines" });
    await page.getByRole("checkbox", { name: "Select all that match" }).click();
    await page.getByRole("region", { name: "Selected records" }).getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 20,000 records" });
    await dialog.getByLabel("amount", { exact: true }).fill("99");
    await dialog.getByText("You can undo it in one step").waitFor();
    await dialog.getByRole("button", { name: "Change 20,000 records" }).click();
    await page.getByText("Changed 20,000 records of lines").waitFor();

    await page.evaluate("location.hash = '#/data/lines/3'");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted lines/3").waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Undone: deleted lines/3").waitFor();
    expect(await ask("GET /lines?_limit=4&_fields=id")).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    await page.keyboard.press("Control+z");
    await page.getByText("Undone: changed 20,000 records of lines").waitFor();
    expect(await ask("GET /lines")).toEqual(before);
    await page.keyboard.press("u");
    await page.getByText("Nothing to undo").waitFor();
    await page.keyboard.press("Control+Shift+Z");
    await page.getByText("Redone: changed 20,000 records of lines").waitFor();
    expect(await ask("GET /lines?amount=99&_limit=1&_fields=id")).toEqual([{ id: 1 }]);
  });

  inBrowserAtLength(
    "a sandbox shows its own history, a read-only server offers no revert, and none without",
    async () => {
      const { url, ask } = await begin();
      await ask("PATCH /__sandbox/ann/products/1", { name: "Felt Hat" });
      const inside = await openPage(url, "/__sandbox/ann/__console#/history");
      await inside.getByRole("cell", { name: "Felt Hat" }).waitFor();
      await button(inside, "Open at this moment").click();
      await inside.getByText("Felt Hat").waitFor();
      await inside.getByText("You are looking at").waitFor();

      const folder = createFolder({ "db.json": catalog() });
      const fixed = await serveForTest(["--read-only", "--watch"], folder);
      const reader = await openConsole(fixed.url, { at: "/history" });
      await reader.getByText("No changes yet").waitFor();
      writeFileSync(join(folder, "db.json"), JSON.stringify({ ...catalog(), tags: [{ id: 1, name: "edited" }] }));
      await reader.getByRole("cell", { name: "edited" }).waitFor();
      await button(reader, "Open at this moment").waitFor();
      expect(await reader.getByRole("button", { name: /^Re(vert|store)/ }).count()).toBe(0);
      const off = await serveForTest(["--history", "off"], createFolder({ "db.json": catalog() }));
      const plain = await openConsole(off.url, { at: "/data/products/1" });
      await plain.getByRole("dialog").getByLabel("name", { exact: true }).waitFor();
      expect(await plain.getByText("History", { exact: true }).count()).toBe(0);
    },
  );
});
