import type { CDPSession, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import {
  accessibilityProblems,
  DESKTOP,
  inBrowser,
  inBrowserAtLength,
  inBrowserInSoak,
  inBrowserWithServer,
  openConsole,
  PHONE,
  problemsOnTheWay,
  resize,
} from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const CONFIG = {
  routes: "routes.json",
  snapshots: "snapshots",
  middlewares: ["cors", "latency"],
  layers: { latency: { minMs: 0, maxMs: 1 } },
};

const RULES = { "/api/*": "/$1", "/products/cheap": "/products?price_lte=10" };
const FILES = {
  "db.json": { ...catalog(), settings: { theme: "plain" } },
  "standin.json": CONFIG,
  "routes.json": RULES,
};
const serve = serveForFile([], FILES);

const LIGHT_DESKTOP = {
  viewport: DESKTOP,
  colorScheme: "light",
  reducedMotion: "no-preference",
  touch: false,
} as const;
const DARK_PHONE = { viewport: PHONE, colorScheme: "dark", reducedMotion: "reduce", touch: true } as const;
const RULES_OF_LOOKS = ["scrollable-region-focusable", "color-contrast", "target-size"];
type Look = typeof LIGHT_DESKTOP | typeof DARK_PHONE;

/** Changes what a page is shown on: far cheaper than to load it there. */
async function wear(page: Page, devtools: CDPSession, look: Look): Promise<void> {
  const { viewport, colorScheme, reducedMotion, touch } = look;
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: touch });
  await resize(page, viewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  await nextFrame(page);
}

/** When two frames have begun, the first of them is shown. */
function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

describe("the views", () => {
  inBrowserWithServer("a browser that opens the server's address sees what is served", async () => {
    const url = await serve();
    const page = await openConsole(url);
    await page.goto(url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const main = page.getByRole("main");
    for (const text of ["2 collections, 1 object, 15 records", "products", "companies", "object", "/api/*", url]) {
      await main.getByText(text, { exact: true }).first().waitFor();
    }
    await page.getByLabel("Try a path").fill("/api/products/cheap?x=1");
    await page.getByText("/products?price_lte=10&x=1 (by /api/*, then /products/cheap)").waitFor();
  });

  inBrowserAtLength(
    "the overview draws relations and the way of a request, and leads to each of their parts",
    async () => {
      const url = await serve();
      const fault = { fault: "status", status: 503, path: "/companies", count: 2 };
      const headers = { "Content-Type": "application/json" };
      await fetch(`${url}/__faults`, { method: "POST", headers, body: JSON.stringify(fault) });
      await fetch(`${url}/companies`);
      const page = await openConsole(url);
      const stages = page.getByRole("list", { name: "The stages of a request" });
      await stages.getByText("1 active").waitFor();
      expect(await stages.getByRole("listitem").allInnerTexts()).toEqual([
        "Rewrite\n2 rules",
        "Layers\ncors\nlatency",
        "Interceptors\nNone",
        "Faults\n1 active\n1 hit",
        "Data\n2 collections\n1 object",
      ]);
      // The request of this test, which the fault met, as it came and as others come.
      const recent = page.getByRole("link", { name: /Requests of the last 5 minutes/ });
      await recent.getByText("1 request", { exact: true }).waitFor();
      await recent.getByText("1 failed").waitFor();
      await fetch(`${url}/products`);
      await recent.getByText("2 requests").waitFor();
      // As high as they are drawn: a style for other bars made all of them the same.
      const stretched = `Math.max(...[...document.querySelectorAll(".sparkline .bar")]
      .map((bar) => Math.abs(bar.getBoundingClientRect().height - bar.getAttribute("height"))))`;
      expect(await page.evaluate<number>(stretched)).toBeLessThan(2);
      await resize(page, PHONE);
      const tops = '[...document.querySelectorAll(".pipeline > li")].map((item) => item.offsetTop)';
      expect(new Set(await page.evaluate<number[]>(tops)).size).toBe(5);
      await resize(page, DESKTOP);
      await stages.getByRole("button", { name: "Rewrite" }).click();
      await page.keyboard.press("Tab");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("try-path");

      const node = page.getByRole("link", { name: "products 12 records id is the key company_id refers to companies" });
      await node.hover();
      expect(await page.locator(".diagram-line.near title").allTextContents()).toEqual([
        "products.company_id refers to companies",
      ]);
      await node.click();
      await page.getByRole("heading", { level: 1, name: "products" }).waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "List" }).click();
      await page.getByRole("link", { name: "products company_id → companies 12" }).waitFor();
      await stages.getByRole("link", { name: "Faults" }).click();
      await page.getByRole("heading", { level: 1, name: "Test lab" }).waitFor();
      await fetch(`${url}/__faults`, { method: "DELETE" });
    },
  );

  inBrowserInSoak("a collection is created, renamed and removed", async () => {
    const url = await serve();
    const page = await openConsole(url, { provokes: [409] });
    const side = page.getByRole("navigation", { name: "Collections" });
    await page.getByRole("button", { name: "List" }).click();
    await page.getByRole("button", { name: "New collection" }).click();
    await page.getByLabel("Name", { exact: true }).fill("products");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText('The collection "products" already exists.').waitFor();
    await page.getByLabel("Name", { exact: true }).fill("orders");
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.getByRole("button", { name: "Create" }).click();
    await side.getByRole("link", { name: "orders" }).waitFor();
    await page.getByRole("button", { name: "Rename orders" }).click();
    await page.getByLabel("Name", { exact: true }).fill("sales");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await side.getByRole("link", { name: "sales" }).waitFor();
    expect(await (await fetch(`${url}/sales`)).json()).toEqual([]);
    await page.getByRole("button", { name: "Remove sales" }).click();
    await page.getByText("the collection with 0 records").waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await side.getByRole("link", { name: "sales" }).waitFor({ state: "detached" });
    // With fields of types that were chosen, it has its first records at once.
    await page.getByRole("button", { name: "New collection" }).click();
    await page.getByLabel("Name", { exact: true }).fill("tickets");
    for (const [at, name, type] of [
      [1, "title", "Text"],
      [2, "state", "Choice"],
      [3, "due", "Date"],
      [4, "product_id", "Record of"],
    ] as const) {
      await page.getByRole("button", { name: "Add a field" }).click();
      await page.getByLabel(`Name of field ${at}`).fill(name);
      await page.getByLabel(`Type of field ${at}`).selectOption(type);
    }
    await page.getByLabel("Values of field 2").fill("open, done");
    await page.getByLabel("Collection of field 4").selectOption("products");
    await page.getByLabel("Number of records").fill("30");
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.getByRole("button", { name: "Create" }).click();
    await side.getByRole("link", { name: "tickets 30" }).waitFor();
    const tickets = (await (await fetch(`${url}/tickets`)).json()) as Record<string, unknown>[];
    expect(tickets).toHaveLength(30);
    expect(new Set(tickets.map(({ state }) => state))).toEqual(new Set(["open", "done"]));
    expect(tickets[0]).toEqual({
      id: 1,
      title: expect.stringMatching(/^\w+ \w+$/),
      state: expect.any(String),
      due: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      product_id: expect.any(Number),
    });
    await fetch(`${url}/__collections/tickets`, { method: "DELETE" });
    // Of another client: the event of it is enough.
    await fetch(`${url}/__collections/companies`, { method: "DELETE" });
    await side.getByRole("link", { name: "companies" }).waitFor({ state: "detached" });
  });

  inBrowser("every view is a key away, and the keys are listed under ?", async () => {
    const url = await serve();
    const page = await openConsole(url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    if (IS_DEMO) {
      const offered = page.getByRole("navigation", { name: "Views" }).getByRole("link");
      // Views that a page cannot have are not offered.
      await expect
        .poll(() => offered.allInnerTexts())
        .toEqual(["Overview", "Data", "Request", "Traffic", "Test lab", "Snapshots", "API docs"]);
    }
    for (const [key, title] of [
      ["2", "products"],
      ["3", "Request"],
      ["4", "Traffic"],
      ["5", "Test lab"],
      ["6", "Snapshots"],
      ["7", "History"],
      ["8", "API docs"],
      ["0", "Hooks"],
      ["a", "Agents"],
      ["1", "Overview"],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
  });

  const places: [string, string | RegExp][] = [
    ["/", "Data"],
    ["/data/products?price_gte=20&_sort=price", "Steel Lamp"],
    ["/new/products", "New in products"],
    ["/request", "Nothing sent yet"],
    ["/traffic", "No requests yet"],
    ["/lab", "No sandboxes yet"],
    ["/snapshots", "Nothing saved yet"],
    // A page from static hosting keeps no versions, sends no webhooks, and no agent reaches it.
    ["/history", IS_DEMO ? "No history is kept here" : /^No changes yet$|^Version \d+$/],
    ["/hooks", IS_DEMO ? "No webhooks here" : "No hooks yet"],
    ["/agents", IS_DEMO ? "No agents here" : "No agents yet"],
    ["/docs/createProduct", "Try it"],
  ];
  /** Kinds of these views that npm run soak looks at, too. */
  const morePlaces: [string, string][] = [
    ["/data/products?_group=company_id&_aggregate=sum:price", "Sum of price"],
    ["/data/companies/1", "Related"],
    ["/data/settings", "One object at /settings"],
    ["/docs", "Filter operators"],
  ];
  inBrowser("are accessible and fit, light on a desktop and dark on a phone", async () => {
    const url = await serve();
    // A tab that has been touched has no fine pointer any more, so that no later test may have it.
    const page = await openConsole(url, { profile: {} });
    const devtools = await page.context().newCDPSession(page);
    let looks = [LIGHT_DESKTOP, DARK_PHONE];
    for (const [at, text] of process.env.STANDIN_SOAK ? [...places, ...morePlaces] : places) {
      await page.goto(`${url}/__console#${at}`);
      await page.getByText(text).first().waitFor();
      // The look of the next one is the other; npm run soak has both of each.
      for (const [turn, look] of looks.slice(0, process.env.STANDIN_SOAK ? 2 : 1).entries()) {
        await wear(page, devtools, look);
        // The second look changes colours and sizes, but not what is there.
        const problems = await accessibilityProblems(page, turn === 0 ? undefined : RULES_OF_LOOKS);
        expect([at, look, problems]).toEqual([at, look, []]);
        // The page itself never scrolls, its parts do.
        const size =
          "(({ scrollWidth: width, scrollHeight: height }) => ({ width, height }))(document.documentElement)";
        expect([at, await page.evaluate(size)]).toEqual([at, look.viewport]);
      }
      looks = looks.toReversed();
    }
    await devtools.detach();
  });

  inBrowserAtLength("nothing moves while a list or its groups arrive", async () => {
    const url = await serve();
    const page = await openConsole(url, { profile: {} });
    await page.addInitScript(`window.moved = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.moved += value; })
        .observe({ type: "layout-shift" });`);
    for (const viewport of [DESKTOP, PHONE]) {
      await resize(page, viewport);
      for (const at of ["price:gte=20&_or=id=1&_or=name:contains=lamp", "_group=company_id&_aggregate=sum:price"]) {
        await page.goto("about:blank");
        await page.goto(`${url}/__console#/data/products?${at}`);
        await page.locator("tbody tr").first().waitFor();
        await page.getByText("Live").waitFor();
        // A shift is told after the frame that shows it.
        await nextFrame(page);
        expect([viewport.width, at, await page.evaluate<number>("window.moved")]).toEqual([
          viewport.width,
          at,
          expect.closeTo(0, 2),
        ]);
      }
    }
  });

  inBrowserAtLength("dark follows the system, until the person says otherwise", async () => {
    const url = await serve();
    const page = await openConsole(url, { colorScheme: "dark" });
    const background = "getComputedStyle(document.documentElement).backgroundColor";
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await expect.poll(() => page.evaluate(background)).toBe("rgb(14, 17, 22)");
    await page.getByRole("button", { name: "Use light colours" }).click();
    await expect.poll(() => page.evaluate(background)).toBe("rgb(246, 247, 249)");
    await page.reload();
    await page.getByRole("button", { name: "Use dark colours" }).waitFor();
    await expect.poll(() => page.evaluate(background)).toBe("rgb(246, 247, 249)");
  });

  inBrowserAtLength("nothing served, nothing found, nothing saved: each says what to do", async () => {
    const folder = createFolder({ "db.json": {} });
    const { url } = await serveForTest(["--snapshots", "shots"], folder);
    const page = await openConsole(url, { provokes: [404] });
    await page.getByRole("button", { name: "Create a collection" }).click();
    await page.getByRole("dialog", { name: "New collection" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Generate sample data" }).click();
    await page.getByLabel("A blog").check();
    await page.getByRole("button", { name: "Generate", exact: true }).click();
    await page
      .getByRole("link", { name: /^comments 20 records .*postId refers to posts userId refers to users$/ })
      .waitFor();
    for (const name of ["comments", "posts", "users"]) {
      await fetch(`${url}/__collections/${name}`, { method: "DELETE" });
    }
    await page.getByRole("button", { name: "Import a file" }).click();
    const choose = (name: string, text: string): Promise<void> =>
      page.getByLabel("Data file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await choose("db.json", "{");
    await page.getByText("This is not valid JSON").waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await choose("db.json", JSON.stringify({ products: [], settings: { theme: "plain" } }));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("Created 1 collection with 0 records and 1 object").waitFor();
    expect(await (await fetch(`${url}/db`)).json()).toEqual({ products: [], settings: { theme: "plain" } });
    await page.goto(`${url}/__console#/data/products`);
    await page.getByText("No records yet").waitFor();
    await page.goto(`${url}/__console#/data/nothing`);
    await page.getByText("There is no such collection").waitFor();
    await page.goto(`${url}/__console#/data/products/77`);
    await page.getByText("Record not found").waitFor();
    await page.goto(`${url}/__console#/snapshots`);
    await page.getByText("Nothing saved yet").waitFor();
  });

  inBrowserAtLength("a server that goes away is said, and what was known stays", async () => {
    const { url, stop } = await serveForTest([], createFolder(FILES));
    const page = await openConsole(url, { at: "/data/products", losesServer: true });
    await page.getByText("Steel Hat").waitFor();
    await page.getByText("Live").waitFor();
    // The last reload before the end gets no response.
    await page.route("**/products?*", (route) => route.abort());
    const lost = page.waitForEvent("requestfailed", (request) => request.url().includes("/products?"));
    await fetch(`${url}/products/2`, { method: "DELETE" });
    await lost;
    await stop();
    await page.unrouteAll();
    await page.getByText("Reconnecting").waitFor();
    await page.getByText("You see the last known state").waitFor();
    await page.getByRole("button", { name: "Try now" }).waitFor();
    // A cell cannot be saved, and keeps what was typed.
    await page.getByText("Steel Hat").click();
    await page.keyboard.type("Felt");
    await page.getByRole("group", { name: /^Edit / }).waitFor();
    await page.keyboard.press("Enter");
    await page
      .getByRole("group", { name: /^Edit / })
      .getByText("The server does not respond.")
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Steel Hat").waitFor();
    // A view that could not be loaded is, once the server is back.
    await page.getByRole("link", { name: "API docs" }).click();
    await page.getByRole("heading", { name: "No response" }).waitFor();
    await serveForTest(["--port", new URL(url).port], createFolder(FILES));
    // The page may have tried by itself in the meantime, and the button be gone.
    const isBack = page.getByText("Filter operators").waitFor();
    const clicked = page.getByRole("button", { name: "Try now" }).click();
    await Promise.all([isBack, Promise.race([clicked.catch(() => undefined), isBack])]);
  });
});
