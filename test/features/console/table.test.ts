import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { inBrowser, inBrowserAtLength, inBrowserInSoak, openConsole, resize } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const NOW = Date.now();
const users = [
  { id: 1, firstName: "Ada", lastName: "Lovelace" },
  { id: 2, firstName: "Alan", lastName: "Turing" },
];
const orders = Array.from({ length: 24 }, (_, at) => ({
  id: at + 1,
  user_id: at === 23 ? 99 : (at % 2) + 1,
  total: [10, 7.5, 12.25][at % 3],
  state: ["new", "paid", "sent"][at % 3],
  is_gift: at % 2 === 0,
  placed_at: new Date(NOW - (at + 1) * 3 * 86_400_000).toISOString(),
  tint: at % 2 === 0 ? "#ff8800" : "#3366cc",
  photo: DOT,
  note: at < 6 ? null : `Note ${at}`,
}));
const serve = serveForFile(["--memory"], { "db.json": { orders, users } });

/** The places of the decimal points in the first rows, each once. */
const POINTS = `[...new Set([0, 1, 2].map((row) => {
  const text = document.querySelector('[data-row="' + row + '"] [data-field="total"] span').firstChild;
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, String(Math.trunc(Number(text.data))).length);
  return Math.round(range.getBoundingClientRect().right);
}))]`;

/** How many cells stay in sight and show what passes below them. */
const SEE_THROUGH = `[...document.querySelectorAll('[data-row="0"] td')].map((cell) => getComputedStyle(cell))
  .filter(({ position, backgroundColor }) => position === "sticky" && backgroundColor === "rgba(0, 0, 0, 0)").length`;

const head = (page: Page, name: string): Locator => page.getByRole("columnheader", { name, exact: true });
const edge = (page: Page, name: string): Locator => page.getByRole("separator", { name: `Width of ${name}` });
const widthOf = async (page: Page, name: string): Promise<number> => (await head(page, name).boundingBox())?.width ?? 0;
const namesOf = (page: Page): Promise<string[]> => page.getByRole("columnheader").allTextContents();
const choose = async (page: Page, column: string, action: string): Promise<void> => {
  await page.getByRole("button", { name: `Column ${column}` }).click();
  await page.getByRole("button", { name: action, exact: true }).click();
};

async function drag(page: Page, what: Locator, toX: number): Promise<void> {
  const box = await what.boundingBox();
  if (!box) throw new Error("Not in sight");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(toX, y, { steps: 4 });
  await page.mouse.up();
}

describe("the table", () => {
  inBrowser("columns are moved, resized and hidden by pointer and keyboard, and stay so", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/orders" });
    await head(page, "note").waitFor();

    const before = await widthOf(page, "total");
    const { x = 0, width = 0 } = (await edge(page, "total").boundingBox()) ?? {};
    await drag(page, edge(page, "total"), x + width / 2 + 60);
    await expect.poll(() => widthOf(page, "total")).toBeCloseTo(before + 60, -1);
    await edge(page, "total").press("ArrowLeft");
    await expect.poll(() => widthOf(page, "total")).toBeCloseTo(before + 44, -1);

    const state = await head(page, "user_id").boundingBox();
    await drag(page, head(page, "total").locator(".head-name"), (state?.x ?? 0) + 4);
    await expect.poll(async () => (await namesOf(page)).slice(0, 3)).toEqual(["id", "total", "user_id"]);
    // While it is dragged, a mark shows where it would be dropped.
    await head(page, "state").locator(".head-name").hover();
    await page.mouse.down();
    await page.mouse.move((state?.x ?? 0) + 4, (state?.y ?? 0) + 8, { steps: 4 });
    await page.locator("th[data-drop=before]").waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    // A link shows the same order in another browser.
    await expect.poll(() => page.url()).toContain("_fields=id,total,user_id,");
    await head(page, "total").locator(".head-name").press("Shift+ArrowRight");
    await page.getByText("total is column 3 of 9").waitFor();
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(async () => (await namesOf(page)).slice(0, 4)).toEqual(["id", "user_id", "state", "total"]);
    // The id stays first.
    await head(page, "user_id").locator(".head-name").press("Shift+ArrowLeft");
    expect((await namesOf(page))[0]).toBe("id");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("id");

    await choose(page, "photo", "Hide column");
    await page.getByText("GET /orders?_fields=id,user_id,state,total,is_gift,placed_at,tint,note&").waitFor();
    await page.goto("about:blank");
    await page.goto(`${url}/__console#/data/orders`);
    await page.getByText("GET /orders?_fields=-photo&").waitFor();
    await expect
      .poll(() => namesOf(page))
      .toEqual(["id", "user_id", "state", "total", "is_gift", "placed_at", "tint", "note"]);
    expect(await widthOf(page, "total")).toBeCloseTo(before + 44, -1);
  });

  inBrowserInSoak("several columns are sorted by, and the id stays in sight on a narrow screen", async () => {
    const page = await openConsole(await serve(), { at: "/data/orders" });
    await choose(page, "total", "Sort highest first");
    await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "total, descending" }).waitFor();
    await page.getByRole("button", { name: "Sort", exact: true }).click();
    await page.getByRole("dialog", { name: "Sort by" }).getByRole("button", { name: "placed_at" }).click();
    await page.getByText("_sort=-total,placed_at").waitFor();
    await page.getByRole("button", { name: "total, descending" }).click();
    await page.getByText("_sort=total,placed_at").waitFor();
    await page.getByRole("button", { name: "Do not sort by placed_at" }).click();
    await page.getByText("_sort=total&").waitFor();

    await resize(page, { width: 640, height: 600 });
    const id = page.locator("[data-field=id]").getByRole("link").first();
    const at = await id.boundingBox();
    await page.locator(".scroller").evaluate((list: { scrollLeft: number }) => {
      list.scrollLeft = 400;
    });
    await head(page, "note").and(page.locator(":visible")).waitFor();
    expect((await id.boundingBox())?.x).toBe(at?.x);
    expect(await page.evaluate(SEE_THROUGH)).toBe(0);
  });

  inBrowserAtLength("cells follow the type of their column, and its menu tells what it holds", async () => {
    const url = await serve();
    const page = await openConsole(url);
    await page.getByText("Live").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(decodeURIComponent(request.url().slice(url.length))));
    await page.goto(`${url}/__console#/data/orders`);
    const cell = (field: string, row = 0): Locator => page.locator(`[data-row="${row}"] [data-field="${field}"]`);
    await expect.poll(() => cell("user_id").textContent()).toBe("1 · Ada Lovelace");
    await expect.poll(() => cell("user_id", 1).textContent()).toBe("2 · Alan Turing");
    expect(asked.filter((path) => path.startsWith("/users"))).toEqual([
      "/users?id=1&id=2&id=99&_fields=id,firstName,lastName",
    ]);
    await page.locator(".scroller").press("End");
    await expect.poll(() => cell("user_id", 23).textContent()).toBe("99 · not found");
    await page.keyboard.press("Home");

    await cell("is_gift").locator(".switch.is-on").waitFor();
    expect([await cell("is_gift").textContent(), await cell("is_gift", 1).textContent()]).toEqual(["true", "false"]);
    expect(await cell("placed_at").textContent()).toBe("3 days ago");
    expect(await cell("placed_at").locator("time").getAttribute("title")).toContain(orders[0]?.placed_at);
    expect(await cell("state").locator(".tone").textContent()).toBe("new");
    const swatch = cell("tint").locator(".swatch");
    expect(await swatch.getAttribute("style")).toContain("rgb(255, 136, 0)");
    const picture = cell("photo").locator("img");
    await expect.poll(() => page.evaluate("document.querySelector('[data-field=photo] img').naturalWidth")).toBe(1);
    expect(await picture.getAttribute("referrerpolicy")).toBe("no-referrer");
    expect(await page.evaluate(POINTS)).toHaveLength(1);
    await choose(page, "placed_at", "Show exact times");
    await expect.poll(() => cell("placed_at").textContent()).toBe(orders[0]?.placed_at);

    await page.getByRole("button", { name: "Column note" }).click();
    const figures = page.getByRole("dialog", { name: "Column note" });
    await figures.getByText("25 %").waitFor();
    await figures.getByText("18", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Column total" }).click();
    const bins = page.getByRole("group", { name: "Values of total" }).getByRole("button");
    await bins.first().waitFor();
    expect(await bins.first().getAttribute("aria-label")).toBe("Filter: 7.5 – 8: 8 records");
    await bins.first().click();
    await page.getByText("8 of 24 records").waitFor();
    await page.getByText("total:gte=7.5&total:lt=8").waitFor();
  });
});
