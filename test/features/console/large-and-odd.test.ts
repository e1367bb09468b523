import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { createFolder, type Served } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";
import { IS_SOAK } from "../../support/soak.ts";
import { inBrowser, inBrowserInSoak, openConsole } from "./browser.ts";
import { serveForTest } from "./serve.ts";

async function serve(data: unknown): Promise<string> {
  return (await serveForTest(["--memory"], createFolder({ "db.json": JSON.stringify(data) }))).url;
}

function records(count: number): { id: number; name: string; price: number }[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Thing ${index + 1}`,
    price: index % 1000,
  }));
}

/** Moves the scrollbar to a share of its way. */
function scrollTo(page: Page, share: number): Promise<unknown> {
  return page.evaluate(
    `(() => { const list = document.querySelector(".scroller"); list.scrollTop = list.scrollHeight * ${share}; })()`,
  );
}

describe("large collections", () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveKept(["--memory"], createFolder({ "db.json": { things: records(100_000) } }));
  });
  afterAll(() => served.stop());

  inBrowser("100,000 records scroll from end to end, with a screenful of rows at a time", async () => {
    const page = await openConsole(served.url, { at: "/data/things" });
    await page.getByText("100,000 records").waitFor();
    await page.getByText("Thing 1", { exact: true }).waitFor();
    await scrollTo(page, 1);
    await page.getByText("Thing 100000", { exact: true }).waitFor();
    await scrollTo(page, 0.5);
    await page
      .getByText(/^Thing 50\d\d\d$/)
      .first()
      .waitFor();
    expect(await page.locator("tbody tr").count()).toBeLessThan(40);
    await scrollTo(page, 0);
    await page.getByText("Thing 1", { exact: true }).waitFor();
    for (let turn = 0; turn < 20; turn++) {
      await page.mouse.move(700, 500);
      await page.mouse.wheel(0, 400);
    }
    await page.getByText("Thing 201", { exact: true }).waitFor();
  });

  inBrowserInSoak("the keyboard reaches every row: End, Home, pages, arrows, Enter", async () => {
    const page = await openConsole(served.url, { at: "/data/things" });
    await page.getByText("Thing 1", { exact: true }).waitFor();
    await page.locator(".scroller").focus();
    await page.keyboard.press("End");
    await page.getByText("Thing 100000", { exact: true }).waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("3");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "things / 3" }).waitFor();
  });
});

describe("odd records", () => {
  const deep = (depth: number): Json => (depth === 0 ? "bottom" : { inner: deep(depth - 1) });
  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`column_${index}`, index]));
  const ODD: JsonObject[] = [
    { id: 1, name: '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>' },
    { id: 2, name: "x".repeat(500_000) },
    { id: 3, name: deep(150) },
    { id: 4, name: "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 \u0000 \u202e gnp.exe" },
    { id: 5, name: "שלום עולם مرحبا" },
    { id: 6, name: null, ...wide },
    { id: "seven/../8?x#y", name: "an odd id" },
    { id: 8, "": "no name", "a.b": 1, constructor: "c", "<b>": "<i>" },
    { id: 9, name: ["a", { b: [] }], javascript: "javascript:alert(1)" },
  ];

  inBrowser("show safely in the table, as a form and as JSON", async () => {
    const url = await serve({ "odd <b>": ODD });
    const page = await openConsole(url, { at: `/data/${encodeURIComponent("odd <b>")}` });
    await page.getByText("<img src=x").waitFor();
    await page.getByText("40 of").waitFor();
    await page.getByText("Columns").click();
    await page.getByLabel("column_59").check();
    await page.getByRole("columnheader", { name: "column_59" }).waitFor();
    // `npm run soak` opens each of them.
    for (const { id } of IS_SOAK ? ODD : ODD.filter((record) => [1, "seven/../8?x#y"].includes(record.id as string))) {
      await page.goto(`${url}/__console#/data/${encodeURIComponent("odd <b>")}/${encodeURIComponent(String(id))}`);
      const record = page.getByRole("dialog", { name: `odd <b> / ${id}` });
      await record.getByRole("button", { name: "JSON", exact: true }).click();
      const text = await record.getByLabel("The record as JSON").inputValue();
      expect(JSON.parse(text)).toEqual(ODD.find((record) => record.id === id));
    }
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });
});
