import { describe, expect } from "vitest";
import { inBrowser, openConsole, problemsOnTheWay } from "./browser.ts";
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

  inBrowser(
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
