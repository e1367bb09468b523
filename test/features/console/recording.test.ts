import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { addressOf, runKept } from "../../support/kept-process.ts";
import { inBrowserAtLength, inBrowserWithServer, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForTest } from "./serve.ts";

describe("a recording in the console", () => {
  inBrowserWithServer("a table that grows, what was redacted, and a button that saves", async () => {
    await using real = await createStandin({ data: catalog() });
    const folder = createFolder();
    const run = runKept(["record", real.url, "--out", "shop", "--port", "0"], folder);
    const url = await addressOf(run);
    const page = await openConsole(url, { at: "/record" });
    await page.getByText("Nothing seen yet").waitFor();
    await askAt(url, "GET /products");
    await askAt(url, "GET /products/1", { headers: { Authorization: "Bearer abcdefgh12345678" } });
    await page.getByRole("row", { name: /GET \/products\/\{\w+\} 1/ }).waitFor();
    await page.getByRole("region", { name: "Redacted" }).getByText("authorization").waitFor();
    await page.getByRole("region", { name: "1 collection" }).getByText("products").waitFor();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await problemsOnTheWay(page), colorScheme).toEqual([]);
    }
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("standin shop/api.json --data shop/data.json").waitFor();
    expect(existsSync(join(folder, "shop/data.json"))).toBe(true);
    // The overview names the stage, and leads here.
    await page.keyboard.press("1");
    await page.getByRole("link", { name: /Recording/ }).click();
    await page.getByRole("heading", { name: "Record", exact: true }).waitFor();
    await page.close();
    run.child.kill("SIGTERM");
    expect(await run.exit).toBe(0);
  });

  inBrowserAtLength("without one, the navigation has no such view, and its address says how to begin", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": catalog() }));
    const page = await openConsole(url, { at: "/record" });
    await page.getByText("Nothing is being recorded").waitFor();
    expect(await page.getByRole("navigation").first().getByRole("link", { name: "Record", exact: true }).count()).toBe(
      0,
    );
  });
});
