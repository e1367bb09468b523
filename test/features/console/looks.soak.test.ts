import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { inBrowserWithServer, openConsole, PHONE, resize } from "./browser.ts";
import { serveForFile } from "./serve.ts";
import { shop } from "./shop.ts";

const serve = serveForFile(["--snapshots", "shots"], { "db.json": shop() });

describe("looks and words", () => {
  inBrowserWithServer("a form says what is not set, what a relation searches, and what would be lost", async () => {
    const page = await openConsole(await serve(), { at: "/new/products" });
    const form = page.getByRole("dialog", { name: "New in products" });
    await form.getByLabel("name", { exact: true }).fill("Draft");
    expect(await form.getByPlaceholder("Not set").count()).toBeGreaterThan(0);
    await form.getByLabel("maker_id", { exact: true }).click();
    await form.getByPlaceholder("Search makers").waitFor();
    await form.getByLabel("name", { exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByText("This new record of products has not been saved.").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    expect(await form.getByLabel("name", { exact: true }).inputValue()).toBe("Draft");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await form.waitFor({ state: "detached" });
  });

  inBrowserWithServer("sandboxes count their changes, faults and traffic say what they do", async () => {
    const url = await serve();
    const headers = { "X-Standin-Sandbox": "ann" };
    for (const id of [1, 2, 3, 4]) await askAt(url, `PATCH /products/${id}`, { headers, body: { price: 1 } });
    const page = await openConsole(url, { at: "/lab" });
    await page.getByText("4 changes", { exact: true }).waitFor();
    await page.getByRole("button", { name: "New fault" }).click();
    await page.getByRole("dialog").getByText("Respond with a status").first().waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await page.goto(`${url}/__console#/traffic`);
    await page.getByLabel("Show the console's own requests").waitFor();
    await askAt(url, "DELETE /__sandboxes");
  });

  inBrowserWithServer("no arrow leads out of the card at 1024, and every title has the same place", async () => {
    const url = await serve();
    const page = await openConsole(url, { viewport: { width: 1024, height: 768 } });
    await page.locator(".pipeline-stage").first().waitFor();
    // An arrow stands left of its stage: that of the first stage in a line is cut off.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.pipeline')).overflowX")).toBe("clip");
    await resize(page, { width: 1440, height: 900 });
    const places: unknown[] = [];
    for (const [at, title] of [
      ["/", "Overview"],
      ["/lab", "Test lab"],
      ["/snapshots", "Snapshots"],
      ["/request", "Request"],
      ["/examples", "Examples"],
      ["/docs", "API docs"],
    ] as const) {
      await page.goto(`${url}/__console#${at}`);
      const { x, y } = (await page.getByRole("heading", { level: 1, name: title }).boundingBox())!;
      places.push([x, y]);
    }
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
  });

  inBrowserWithServer("on a phone, no label of a view covers the next one, and the open view is in sight", async () => {
    const url = await serve();
    const page = await openConsole(url, { viewport: PHONE, at: "/agents" });
    const views = page.getByRole("navigation", { name: "Views" });
    const current = views.getByRole("link", { name: "Agents" });
    await current.waitFor();
    const labels = await page.evaluate<boolean[]>(
      "[...document.querySelectorAll('.views a')].map((link) => link.scrollWidth <= link.clientWidth)",
    );
    expect(labels.length).toBeGreaterThan(8);
    expect(new Set(labels)).toEqual(new Set([true]));
    const isInSight = async (): Promise<boolean> => {
      const { x, width } = (await current.boundingBox())!;
      return x >= 0 && x + width <= PHONE.width;
    };
    await expect.poll(isInSight).toBe(true);
    // So is the open collection, of which there are more than fit, too.
    await page.goto(`${url}/__console#/data/orders`);
    const orders = page.getByRole("navigation", { name: "Collections" }).getByRole("link", { name: "orders" });
    await orders.waitFor();
    await expect
      .poll(async () => {
        const { x, width } = (await orders.boundingBox())!;
        return x >= 0 && x + width <= PHONE.width;
      })
      .toBe(true);
  });

  inBrowserWithServer("a record in a narrow window has the looks that it has in a wide one", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products/1", viewport: { width: 820, height: 1180 } });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByRole("button", { name: "Delete" }).locator("svg").waitFor();
    await page.goto(`${url}/__console#/new/orders`);
    const form = page.getByRole("dialog", { name: "New in orders" });
    const create = form.getByRole("button", { name: "Create" });
    await create.waitFor();
    const [bar, button] = [await form.locator(".editor-actions").boundingBox(), await create.boundingBox()];
    // No more than the padding around the button, at the bottom of the window.
    expect(bar!.height - button!.height).toBeLessThan(32);
    expect(bar!.y + bar!.height).toBeCloseTo(1180, 0);
  });

  inBrowserWithServer("on a narrow phone, no part of a head covers another, and titles are whole", async () => {
    const url = await serve();
    await askAt(url, "PATCH /products/1", {
      headers: { "X-Standin-Sandbox": "checkout-redesign" },
      body: { price: 1 },
    });
    const page = await openConsole(url, {
      viewport: { width: 360, height: 640 },
      at: "/data/products?_group=status&_aggregate=sum:price",
    });
    await page
      .getByRole("link", { name: "draft" })
      .or(page.getByRole("button", { name: "draft" }))
      .first()
      .waitFor();
    const covered = `(() => {
      const parts = [...document.querySelectorAll(".list-view > .page-head :is(h1, button, a), .list-view > .page-head ~ * :is(input, button, select)")]
        .filter((part) => !part.closest(".scroller, [popover]")).map((part) => [part, part.getBoundingClientRect()]);
      return parts.flatMap(([a, one], at) => parts.slice(at + 1)
        .filter(([b, two]) => !a.contains(b) && one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1)
        .map(([b]) => a.textContent + " and " + (b.textContent || b.ariaLabel)));
    })()`;
    expect(await page.evaluate(covered)).toEqual([]);
    const isWhole = (selector: string) =>
      page.evaluate((title) => {
        const { scrollWidth, clientWidth } = document.querySelector(title)!;
        return scrollWidth <= clientWidth;
      }, selector);
    expect(await isWhole("main h1")).toBe(true);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const box = page.locator(".popover:popover-open");
    await box.getByLabel("Search fields").or(box.getByPlaceholder("Search fields")).first().waitFor();
    const rightEdge = async (): Promise<number> => {
      const { x, width } = (await box.boundingBox())!;
      return x + width;
    };
    await expect.poll(rightEdge).toBeLessThanOrEqual(360);
    await page.keyboard.press("Escape");
    // Fewer views to choose from leave no more room beside the name.
    await page.goto(`${url}/__console#/data/makers?_view=map`);
    await page.getByRole("heading", { level: 1, name: "makers" }).waitFor();
    await page.getByRole("button", { name: "Map" }).waitFor();
    expect(await isWhole("main h1")).toBe(true);
    await page.goto(`${url}/__console#/data/products/1`);
    await page.getByRole("dialog", { name: "products / 1" }).getByText("Related").first().waitFor();
    expect(await isWhole("dialog h2")).toBe(true);
    await page.goto(`${url}/__console#/lab`);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("dialog", { name: "Compare checkout-redesign" }).getByText("Oak Mug").waitFor();
    expect([await isWhole("dialog h2"), await isWhole("dialog .change h3")]).toEqual([true, true]);
    await askAt(url, "DELETE /__sandboxes");
  });

  inBrowserWithServer("dialogs of every view open by key, hold the focus and give it back", async () => {
    const url = await serve();
    const headers = { "X-Standin-Sandbox": "agent-1" };
    await askAt(url, "PATCH /products/1", { headers, body: { price: 1 } });
    await askAt(url, "PATCH /products/2", { body: { price: 2 } });
    await askAt(url, "PATCH /products/3", { body: { price: 3 } });
    await askAt(url, "POST /__snapshots__", { body: { name: "kept" } });
    const { latest } = (await askAt(url, "GET /__history?limit=1")).body as { latest: number };
    const page = await openConsole(url);
    /** The tag of the place that has the focus; "BODY" while the browser itself has it. */
    const focused = () =>
      page.evaluate(() => (document.activeElement?.closest("dialog") ?? document.activeElement)?.tagName);
    for (const [at, opener] of [
      ["/data/products?_view=board:status", page.locator(".board-region a").first()],
      ["/data/makers?_view=map", page.locator(".map a").first()],
      ["/request", page.getByRole("button", { name: "Save this one" })],
      ["/traffic", page.locator(".entries tbody button").first()],
      ["/lab", page.getByRole("button", { name: "New sandbox" })],
      ["/lab", page.getByRole("button", { name: "Compare" })],
      ["/lab", page.getByRole("button", { name: "New scenario" })],
      ["/lab", page.getByRole("button", { name: "New sequence" })],
      ["/lab", page.getByRole("button", { name: "New fault" })],
      ["/snapshots", page.getByRole("button", { name: "Restore kept" })],
      ["/snapshots/kept", page.getByRole("button", { name: "Restore everything" })],
      [`/history/${latest - 1}`, page.getByRole("button", { name: "Restore to here" })],
      ["/hooks", page.getByRole("button", { name: "New hook" })],
      ["/agents", page.getByRole("button", { name: "Discard" })],
    ] as const) {
      await page.goto(`${url}/__console#${at}`);
      await opener.press("Enter");
      await page.getByRole("dialog").waitFor();
      const name = `${at}: ${await page.getByRole("dialog").getByRole("heading").first().textContent()}`;
      await expect.poll(focused, { message: name }).toBe("DIALOG");
      // Forwards and around: the browser has stops of its own, but none is in the page behind.
      for (let stop = 0; stop < 12; stop++) {
        await page.keyboard.press("Tab");
        expect(["DIALOG", "BODY"], name).toContain(await focused());
      }
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect
        .poll(() => opener.evaluate((element) => element === document.activeElement), { message: name })
        .toBe(true);
    }
    await page.goto(`${url}/__console#/traffic`);
    await page.getByRole("button", { name: "1 min" }).press("ArrowRight");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("5 min");
    await page.goto(`${url}/__console#/data/products/1`);
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByRole("button", { name: "JSON", exact: true }).press("Enter");
    await record.getByLabel("The record as JSON").fill('{"id":1}');
    await record.getByRole("button", { name: "Format" }).press("Enter");
    await expect.poll(() => record.getByLabel("The record as JSON").inputValue()).toContain("\n");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Format");
    await askAt(url, "DELETE /__sandboxes");
    await askAt(url, "DELETE /__snapshots__/kept");
  });

  inBrowserWithServer("the number of operations found stands clear of the search box and its focus ring", async () => {
    const page = await openConsole(await serve(), { at: "/docs" });
    const box = page.getByLabel("Search the docs");
    await box.fill("products");
    const ring = (await box.boundingBox())!;
    const count = (await page.locator(".docs-count").boundingBox())!;
    const padding = Number.parseFloat(
      await page.evaluate<string>("getComputedStyle(document.querySelector('.docs-count')).paddingTop"),
    );
    expect(count.y + padding).toBeGreaterThanOrEqual(ring.y + ring.height + 4);
  });

  inBrowserWithServer("columns have the width of their texts when a collection is first opened", async () => {
    const page = await openConsole(await serve(), { at: "/data/makers" });
    const name = page.getByRole("columnheader", { name: "name" });
    await page.getByRole("cell", { name: "Perlman" }).waitFor();
    // Short texts get what they need; what is left over goes elsewhere.
    expect((await name.boundingBox())!.width).toBeLessThan(160);
    const cut = `[...document.querySelectorAll("tbody td")].filter((cell) =>
      /^(Perlman|Orsini|Bauer|Rome|Oslo|Lima)$/.test(cell.textContent) && cell.scrollWidth > cell.clientWidth).length`;
    expect(await page.evaluate(cut)).toBe(0);
  });

  inBrowserWithServer("changes and conflicts of sandboxes name records by their titles", async () => {
    const url = await serve();
    const headers = { "X-Standin-Sandbox": "ann" };
    for (const id of [1, 2]) await askAt(url, `PATCH /products/${id}`, { headers, body: { price: 1 } });
    await askAt(url, "PATCH /products/1", { body: { price: 2 } });
    const page = await openConsole(url, { at: "/lab" });
    await page.getByRole("listitem", { name: "ann" }).getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog", { name: "Compare ann with the main data" });
    await dialog.getByRole("region", { name: "products 1, conflict" }).getByText("Oak Mug", { exact: true }).waitFor();
    const change = dialog.getByRole("region", { name: "products 2, changed" });
    await change.getByText("Linen Apron", { exact: true }).waitFor();
    await askAt(url, "DELETE /__sandboxes");
  });

  inBrowserWithServer("a row of the traffic shows what its request changed", async () => {
    const url = await serve();
    await askAt(url, "GET /makers");
    await askAt(url, "PATCH /products/1", { body: { price: 7 } });
    const page = await openConsole(url, { at: "/traffic" });
    const row = (path: string) => page.getByRole("row").filter({ hasText: path });
    await row("/makers").waitFor();
    expect(
      await row("/makers")
        .getByText(/^version \d+$/)
        .count(),
    ).toBe(0);
    await row("/products/1")
      .getByText(/^version \d+$/)
      .click();
    const change = page.getByRole("dialog").getByRole("region", { name: "products 1, changed" });
    await change.getByText("Oak Mug", { exact: true }).waitFor();
    await change.getByRole("row", { name: "price 100 7" }).waitFor();
  });

  inBrowserWithServer("selects and their lists look like the rest, also in forms", async () => {
    const url = await serve();
    const page = await openConsole(url);
    const looks: string[] = [];
    for (const [at, place] of [
      ["/request", ".address-row"],
      ["/history", ".history-filter"],
      ["/new/products", "dialog"],
    ] as const) {
      await page.goto(`${url}/__console#${at}`);
      await page.locator(`${place} select`).first().waitFor();
      const drawn = `[...document.querySelectorAll("${place} select")].map((one) => getComputedStyle(one).appearance)`;
      looks.push(...(await page.evaluate<string[]>(drawn)));
    }
    // The browser draws neither: "none" leaves it to the page, "base-select" the open list, too.
    const wanted = await page.evaluate("CSS.supports('appearance: base-select') ? 'base-select' : 'none'");
    expect(new Set(looks)).toEqual(new Set([wanted]));
  });

  inBrowserWithServer("the outline of a view stands in for it while it loads", async () => {
    const url = await serve();
    const page = await openConsole(url);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/products\?/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${url}/__console#/data/products`);
    const outline = page.getByRole("status").filter({ hasText: "Loading products" });
    await outline.waitFor();
    expect(await outline.locator(".bone").count()).toBe(3);
    release();
    await page.getByRole("cell", { name: "Oak Mug" }).waitFor();
    await outline.waitFor({ state: "detached" });
    await page.unrouteAll();
  });

  inBrowserWithServer("counts have separators in what is reported, too", async () => {
    const page = await openConsole(await serve(), { at: "/data/products" });
    await page.getByRole("button", { name: "Actions for products" }).click();
    await page.getByRole("menuitem", { name: "Generate records…" }).click();
    const dialog = page.getByRole("dialog", { name: "Generate records of products" });
    await dialog.getByLabel("Number of records").fill("1000");
    await dialog.getByRole("button", { name: "Create 1,000 records" }).click();
    await page.getByText("Created 1,000 records of products").waitFor();
  });
});
