import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { inBrowser, inBrowserAtLength, openConsole } from "./browser.ts";
import { cell } from "./products-page.ts";
import { serveForFile } from "./serve.ts";

const COMPANIES = [
  { id: 1, name: "Blue Kiln" },
  { id: 2, name: "Red Oak" },
];
const PRODUCTS = Array.from({ length: 500 }, (_, at) => ({
  id: at + 1,
  name: `Product ${at + 1}`,
  company_id: 1 + (at % 2),
  tags: ["new", "sale"],
  updated_at: "2026-01-31T10:00:00Z",
}));
const serve = serveForFile([], { "db.json": { products: PRODUCTS, companies: COMPANIES } });

const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.closest('tr')?.querySelector('[data-field=id]')?.textContent + ' ' + (document.activeElement.dataset.field ?? document.activeElement.tagName)",
  );
const scroller = (page: Page) => page.getByRole("region", { name: "Records of products" });

describe("the place in a list", () => {
  inBrowser("stays with the record when others write, and comes back with the back button and Escape", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await cell(page, 8, "name").click();
    expect(await focused(page)).toBe("8 name");
    await askAt(url, "DELETE /products/3");
    await page.getByText("Product 3", { exact: true }).waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("8 name");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toBe("9 name");

    await scroller(page).evaluate((element) => element.scrollTo(0, 8_000));
    const company = cell(page, 205, "company_id");
    await company.waitFor();
    await expect.poll(() => page.evaluate("history.state?.top")).toBe(8_000);
    await company.getByRole("link").click();
    const record = page.getByRole("dialog", { name: "companies / 1" });
    await record.waitFor();
    await page.goBack();
    await company.waitFor();
    // Escape leads back as well, instead of to the list of the other collection.
    await company.getByRole("link").click();
    await record.waitFor();
    await page.keyboard.press("Escape");
    await company.waitFor();
    expect(page.url()).toContain("#/data/products");
    // A record that was opened from its own list closes to that list.
    await cell(page, 205, "id").getByRole("link").click();
    await page.getByRole("dialog", { name: "products / 205" }).waitFor();
    await page.keyboard.press("Escape");
    await company.waitFor();
  });

  inBrowserAtLength("is never lost to the page: not after filling a form, nor after creating a record", async () => {
    const page = await openConsole(await serve(), { at: "/data/products" });
    await cell(page, 1, "name").waitFor();
    await page.keyboard.press("n");
    const record = page.getByRole("dialog", { name: "New in products" });
    await record.getByRole("button", { name: "Fill with plausible data" }).click();
    await record.getByText(/^Filled/).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Fill with plausible data");
    await page.keyboard.press("Control+Enter");
    await record.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Records of products");
  });

  inBrowserAtLength(
    "is not covered: neither by the bar of the selection, nor by editors that leave the window",
    async () => {
      const page = await openConsole(await serve(), { at: "/data/products" });
      await page.getByRole("checkbox", { name: "Select 1", exact: true }).check();
      await scroller(page).focus();
      await page.keyboard.press("End");
      await cell(page, 500, "name").waitFor();
      const last = page.getByRole("checkbox", { name: "Select 500", exact: true });
      await last.check({ timeout: 5_000 });
      await page.getByText("2 selected").waitFor();

      await cell(page, 500, "updated_at").dblclick();
      const editor = page.getByRole("group", { name: "Edit updated_at of 500" });
      const [frame, zone] = [await editor.boundingBox(), await editor.getByText("UTC").boundingBox()];
      expect(zone!.x + zone!.width).toBeLessThanOrEqual(frame!.x + frame!.width);
      expect(frame!.x + frame!.width).toBeLessThanOrEqual(1280);
      await page.keyboard.press("Escape");

      await cell(page, 500, "tags").dblclick();
      const json = page.getByRole("group", { name: "Edit tags of 500" }).locator(".json-input");
      if ((await json.count()) > 0) {
        expect(await json.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("none");
      }
    },
  );

  inBrowserAtLength("a preview of an import shows the cell that it rejects", async () => {
    const page = await openConsole(await serve(), { at: "/data/products" });
    await page.getByRole("button", { name: "Actions for products" }).click();
    await page.getByRole("menuitem", { name: "Import…" }).click();
    const buffer = Buffer.from("name,company_id\nHat,one\n");
    await page.locator("input[type=file]").setInputFiles({ name: "new.csv", mimeType: "text/csv", buffer });
    await page.getByText('company_id: "one" is not a number.').waitFor();
    expect(await page.locator(".preview .rejected").innerText()).toBe("one");
  });
});
