import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, inBrowserAtLength, openConsole, PHONE, problemsOnTheWay } from "./browser.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const run = promisify(execFile);

const freshCatalog = serveForFile(["--memory"], { "db.json": catalog() });

async function serve(data?: unknown) {
  const url = data ? (await serveForTest(["--memory"], createFolder({ "db.json": data }))).url : await freshCatalog();
  return { url, ask: (line: string, body?: unknown) => askAt(url, line, body === undefined ? {} : { body }) };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** The request that the page shows. */
const request = (page: Page, path: string) => page.locator(".query-text").getByText(path, { exact: true });

async function chooseField(page: Page, field: string): Promise<void> {
  await page.getByLabel("Field", { exact: true }).fill(field);
  await page.keyboard.press("Enter");
}

async function fillIn(page: Page, [field, operator, value]: readonly [string, string, string?]): Promise<void> {
  await chooseField(page, field);
  await page.getByLabel("Operator").selectOption(operator);
  if (value === undefined) await button(page, "Done").click();
  else {
    await page.getByLabel(/^Values?$/).fill(value);
    await page.keyboard.press("Enter");
  }
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

function idsIn(page: Page): Promise<string[]> {
  return page.locator("tbody td[data-field=id]").allTextContents();
}

describe("filters", () => {
  inBrowserAtLength(
    "each field offers the operators and the input that fit it; Escape gives the focus back",
    async () => {
      const things = [{ id: 1, name: "Lamp", price: 5, sold: true, day: "2026-01-31", home: { lat: 1 } }];
      const { url } = await serve({ things });
      const page = await openConsole(url, { at: "/data/things" });
      await page.getByText("Lamp").waitFor();
      await button(page, "Filter").click();
      const operators = page.getByLabel("Operator").locator("option");
      const expected = [
        ["name", "contains", "text"],
        ["price", "≥ at least", "text"],
        ["home.lat", "≥ at least", "text"],
        ["day", "≥ at least", "date"],
      ] as const;
      for (const [field, first, type] of expected) {
        await chooseField(page, field);
        expect((await operators.allTextContents())[0]).toBe(first);
        expect(await page.getByLabel("Value").getAttribute("type")).toBe(type);
      }
      await chooseField(page, "price");
      await page.getByLabel("Value").fill("abc");
      await page.getByText("price has numbers, and abc is not one.").waitFor();
      await page.keyboard.press("Enter");
      expect(await page.getByLabel("Value").inputValue()).toBe("abc");
      await chooseField(page, "sold");
      expect(await operators.allTextContents()).toEqual(["is true", "is false", "is empty", "is not empty"]);
      expect(await page.getByLabel("Value").count()).toBe(0);
      await request(page, "GET /things?sold=true&_start=0&_limit=100").waitFor();
      expect(await problemsOnTheWay(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Filter");
      await button(page, "sold is true").click();
      await fillIn(page, ["sold", "is empty"]);
      await page.getByText("No record matches").waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("sold is empty");

      await button(page, "Remove: sold is empty").click();
      await button(page, "Filter").click();
      await page.keyboard.press("Escape");
      await request(page, "GET /things?_start=0&_limit=100").waitFor();
      expect(await page.locator(".chip").count()).toBe(0);
    },
  );

  inBrowserAtLength("alternatives stand in one frame, survive a reload, and can be taken out again", async () => {
    const { url } = await serve();
    const page = await openConsole(url, { at: "/data/products", viewport: PHONE, colorScheme: "dark" });
    await page.getByText("Steel Hat").waitFor();
    await button(page, "Filter").click();
    await fillIn(page, ["price", "< less than", "8"]);
    await button(page, "+ or").click();
    const box = await page.getByRole("dialog").boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= PHONE.width).toBe(true);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await fillIn(page, ["name", "starts with", "steel"]);
    await request(page, "GET /products?_or=price:lt=8&_or=name:startsWith=steel&_start=0&_limit=100").waitFor();
    await expect.poll(() => idsIn(page)).toEqual(["1", "3", "7", "11", "12"]);

    await button(page, "Filter").click();
    await chooseField(page, "company_id");
    for (const name of ["1 · Acme", "3 · Corto"]) await page.getByRole("checkbox", { name }).check();
    await button(page, "Done").click();
    await button(page, "+ or").last().click();
    await fillIn(page, ["name", "contains", "pizza"]);
    await expect.poll(() => idsIn(page)).toEqual(["1", "7", "11", "12"]);
    expect(decodeURIComponent(page.url())).toContain(
      '?_where={"and":[{"or":[{"price":{"lt":8}},{"name":{"startsWith":"steel"}}]},{"or":[{"company_id":{"in":[1,3]}},{"name":{"contains":"pizza"}}]}]}',
    );
    await page.reload();
    await expect.poll(() => idsIn(page)).toEqual(["1", "7", "11", "12"]);
    await page.getByRole("group", { name: "Filter on price or name" }).waitFor();
    await button(page, "Remove: price < 8").click();
    await button(page, "Remove: company_id is one of 1, 3").click();
    await request(page, "GET /products?name:startsWith=steel&name:contains=pizza&_start=0&_limit=100").waitFor();
    await button(page, "Show all").click();
    await page.getByText("12 records").waitFor();
  });

  inBrowser("links of old keep working: suffixes, order, repeated fields", async () => {
    const { url } = await serve();
    const page = await openConsole(url, {
      at: "/data/products?price_gte=20&company_id=1&company_id=3&_sort=price&_order=desc",
    });
    await expect.poll(() => idsIn(page)).toEqual(["9", "10", "2", "12"]);
    for (const name of ["price ≥ 20", "company_id = 1", "company_id = 3"]) await button(page, name).waitFor();
    await page.getByRole("columnheader", { name: "price" }).and(page.locator("[aria-sort=descending]")).waitFor();
    await button(page, "name").click({ modifiers: ["Shift"] });
    await page.getByText("_sort=-price,name").waitFor();
    await expect.poll(() => page.url()).toContain("_sort=-price,name");
  });

  inBrowserAtLength("columns that are not shown are not asked for, and a record still opens whole", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products" });
    await page.getByText("Steel Hat").waitFor();
    await button(page, "Columns").click();
    for (const name of ["id", "company_id"]) await page.getByRole("checkbox", { name, exact: true }).uncheck();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Columns2 of 4");
    await request(page, "GET /products?_fields=id,name,price&_start=0&_limit=100").waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole("columnheader").allTextContents()).toEqual(["name", "price"]);
    await ask("PATCH /products/1", { name: "Tin Hat" });
    await page.getByText("Tin Hat").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Open" }).click();
    const record = page.getByRole("dialog", { name: "products / 1" });
    expect(await record.getByLabel("company_id", { exact: true }).inputValue()).toMatch(/^1\b/);
    await record.getByLabel("price", { exact: true }).fill("11");
    await record.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "11", exact: true }).waitFor();
    expect((await ask("GET /products/1")).body).toEqual({ id: 1, name: "Tin Hat", price: 11, company_id: 1 });
  });
});

describe("groups", () => {
  inBrowser("show a bar for each, follow the data, and lead to their records", async () => {
    const { url, ask } = await serve();
    const page = await openConsole(url, { at: "/data/products?price:lt=200" });
    await page.getByText("11 of 12 records").waitFor();
    await button(page, "Groups").click();
    await page.getByText("11 of 12 records in 3 groups").waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("Sum");
    await page.getByLabel("of", { exact: true }).selectOption("price");
    await request(
      page,
      "GET /products?price:lt=200&_group=company_id&_aggregate=sum:price&_sort=-sum_price&_limit=100",
    ).waitFor();
    const rows = () => page.locator("tbody tr").allInnerTexts();
    await expect.poll(rows).toEqual(["2 · Bolt\t207.74\t", "3 · Corto\t110\t", "1 · Acme\t85.75\t"]);
    const widths = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.bar')].map((bar) => bar.style.width)",
    );
    expect(widths.map((width) => Math.round(Number.parseFloat(width)))).toEqual([100, 53, 41]);
    expect(await problemsOnTheWay(page)).toEqual([]);

    await ask("PATCH /products/1", { price: 150 });
    await expect.poll(rows).toEqual(["1 · Acme\t225.75\t", "2 · Bolt\t207.74\t", "3 · Corto\t110\t"]);
    await page.reload();
    await expect.poll(rows).toHaveLength(3);
    await page.locator("tbody tr", { hasText: "207.74" }).locator(".bar").click();
    await expect.poll(() => idsIn(page)).toEqual(["3", "8", "11"]);
    await button(page, "company_id = 2").waitFor();
    expect(page.url()).toMatch(/price:lt=200&company_id=2$/);
    await page.goBack();
    await expect.poll(rows).toHaveLength(3);
  });

  inBrowserAtLength("two fields at a time, on a phone; empty values are a group, too", async () => {
    const things = [
      { id: 1, kind: "a", color: "red" },
      { id: 2, kind: "a", color: null },
      { id: 3, kind: "b" },
      { id: 4, kind: "a" },
    ];
    const { url } = await serve({ things });
    const page = await openConsole(url, {
      at: "/data/things?_group=kind&_aggregate=count",
      viewport: PHONE,
      colorScheme: "dark",
    });
    await page.getByLabel("and", { exact: true }).selectOption("color");
    await expect
      .poll(() => page.locator("tbody tr").allInnerTexts())
      .toEqual(["a\t(empty)\t2\t", "a\tred\t1\t", "b\t(empty)\t1\t"]);
    expect(await problemsOnTheWay(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await page.locator("tbody button").first().press("Enter");
    await expect.poll(() => idsIn(page)).toEqual(["2", "4"]);
    await request(page, "GET /things?kind=a&color:null=true&_start=0&_limit=100").waitFor();
  });
});

inBrowserAtLength("a copied list asks for the same records, whatever characters the filters have", async () => {
  const odd = `O'Hat, "5" & 50% + ü 👍 \\ $x`;
  const { url } = await serve({
    things: [
      { id: 1, name: odd },
      { id: 2, name: "plain" },
      { id: 3, name: "x, y" },
    ],
  });
  const page = await openConsole(url, {
    at: "/data/things",
    profile: { permissions: ["clipboard-read", "clipboard-write"] },
  });
  await page.getByText("plain").waitFor();
  await button(page, "Filter").click();
  await fillIn(page, ["name", "= is", odd]);
  await button(page, "+ or").click();
  await fillIn(page, ["name", "is one of", "x\\, y, z"]);
  await expect.poll(() => idsIn(page)).toEqual(["1", "3"]);
  const copied = async (label: string): Promise<string> => {
    await button(page, "Copy as").click();
    await button(page, label).click();
    await page.getByText("Copied").waitFor();
    await page.keyboard.press("Escape");
    return (await page.evaluate("navigator.clipboard.readText()")) as string;
  };
  const ids = (text: string): number[] => (JSON.parse(text) as { id: number }[]).map(({ id }) => id);
  expect(ids(await (await fetch(await copied("URL"))).text())).toEqual([1, 3]);
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", await copied("JavaScript")]);
  expect(ids(stdout.replace(/^200 /, ""))).toEqual([1, 3]);
  const csharp = await copied("C#");
  const address = JSON.parse(/HttpMethod\.Get, (".*")\)/.exec(csharp)?.[1] ?? "") as string;
  expect(ids(await (await fetch(address)).text())).toEqual([1, 3]);
  expect(await copied("TypeScript (program)")).toBe(
    `const records = await api.db.things.find({ or: [{ name: { eq: ${JSON.stringify(odd)} } }, { name: { in: ["x, y", "z"] } }] });`,
  );
});
