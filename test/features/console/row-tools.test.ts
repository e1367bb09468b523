import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../console/src/api/json.ts";
import { parseListQuery } from "../../../console/src/data/list-query.ts";
import {
  changingRequests,
  choosingQueries,
  choosingQuery,
  inParts,
  matchingRequest,
  removingRequests,
  revertingRequests,
  type TaggedRecord,
} from "../../../console/src/data/rows/bulk-requests.ts";
import { increaseBy } from "../../../console/src/data/rows/increase.ts";
import { NOTHING, select } from "../../../console/src/data/rows/selection.ts";
import type { BatchRequest, BatchResponse } from "../../../console/src/records/batch.ts";
import { type AskOptions, askAt, codeOf } from "../../support/api.ts";
import { inBrowser, inBrowserInSoak } from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
import { cell, choose, openProducts, serve, undo } from "./products-page.ts";

describe("rows", () => {
  inBrowser("a cell is edited where it stands, by mouse or keyboard; problems are shown beside it", async () => {
    const { page, ask, product } = await openProducts([412, 422]);
    const editor = page.getByRole("group", { name: /^Edit / });
    await cell(page, 2, "name").dblclick();
    await editor.waitFor();
    await page.keyboard.type("Oak Chair");
    await page.keyboard.press("Enter");
    await page.getByText("Changed products/2").waitFor();
    await editor.waitFor({ state: "detached" });
    expect(await product(2)).toMatchObject({ name: "Oak Chair", price: 25.5 });

    // The cell has the focus: on to the price, which the rules refuse below zero. A demo has no rules.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("F2");
    await editor.waitFor();
    await page.keyboard.type("-1");
    if (!IS_DEMO) {
      await page.keyboard.press("Enter");
      await editor.getByRole("alert").getByText("Must be at least 0.").waitFor();
    }
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    expect(await product(2)).toMatchObject({ price: 25.5 });

    // The same value was changed elsewhere: both are shown.
    await cell(page, 4, "name").dblclick();
    await editor.waitFor();
    await ask("PATCH /products/4", { name: "Silk Shirt" });
    await page.keyboard.type("Linen Shirt");
    await page.keyboard.press("Enter");
    await editor.getByText("Changed elsewhere to Silk Shirt.").waitFor();
    expect(await product(4)).toMatchObject({ name: "Silk Shirt" });
    await editor.getByRole("button", { name: "Save mine" }).click();
    await editor.waitFor({ state: "detached" });
    expect(await product(4)).toMatchObject({ name: "Linen Shirt" });

    // The record has moved to another row: its editor goes along.
    await page.evaluate('location.hash = "#/data/products?_sort=-id"');
    await page.locator('[data-row="0"]').getByText("12", { exact: true }).waitFor();
    await page.locator('[data-row="1"] [data-field="name"]').dblclick();
    await editor.waitFor();
    await ask("POST /products", { name: "New" });
    await page.locator('[data-row="0"]').getByText("New").waitFor();
    const moved = await page.locator('[data-row="2"] [data-field="name"]').boundingBox();
    expect((await editor.boundingBox())?.y).toBe(moved?.y);
    await page.keyboard.press("Escape");
  });

  inBrowser("a cell that was just saved is edited again, although the list has not been fetched since", async () => {
    const { page, product } = await openProducts();
    const editor = page.getByRole("group", { name: /^Edit / });
    let fetchList = (): void => {};
    const held = new Promise<void>((resolve) => {
      fetchList = resolve;
    });
    // Requests to a worker cannot be held.
    if (!IS_DEMO) await page.route(/\/products\?/, (route) => held.then(() => route.continue()));
    for (const name of ["Oak Chair", "Elm Chair"]) {
      await cell(page, 2, "name").dblclick();
      await editor.waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await editor.waitFor({ state: "detached" });
      await cell(page, 2, "name").getByText(name).waitFor();
      expect(await product(2)).toMatchObject({ name });
    }
    fetchList();
  });

  inBrowserInSoak(
    "many rows are changed in one batch and come back in one step; the menu of a row acts on one",
    async () => {
      const { page, ask, product } = await openProducts();
      const before = (await ask("GET /products")).text;
      const bar = page.getByRole("region", { name: "Selected records" });
      await page.getByRole("checkbox", { name: "Select 3", exact: true }).click();
      await page.getByRole("checkbox", { name: "Select 6", exact: true }).click({ modifiers: ["Shift"] });
      await bar.getByText("4 selected").waitFor();
      await bar.getByRole("button", { name: "Edit" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit 4 records" });
      await dialog.getByLabel("Field", { exact: true }).selectOption("price");
      await dialog.getByLabel("price", { exact: true }).fill("1.5");
      await dialog.getByRole("button", { name: "Change 4 records" }).click();
      await page.getByText("Changed 4 records of products").waitFor();
      await page.getByText("POST /__batch · 200").waitFor();
      expect((await ask("GET /products?price=1.5&_fields=id")).text).toBe('[{"id":3},{"id":4},{"id":5},{"id":6}]');
      await undo(page);
      await page.getByText("Undone: changed 4 records of products").waitFor();
      expect((await ask("GET /products")).text).toBe(before);

      // One row, by its menu.
      await cell(page, 9, "name").click({ button: "right" });
      await choose(page, "Duplicate");
      await page.getByText("Created products/13").waitFor();
      expect(await product(13)).toEqual({ id: 13, name: "Silk Scarf", price: 60, company_id: 3 });
      await cell(page, 9, "name").click({ button: "right" });
      await choose(page, "Filter by this value");
      await page.getByText("2 of 13 records").waitFor();

      // Requests to a worker cannot be held.
      if (IS_DEMO) return;
      // All that match are not those that were seen if another one has come between.
      await page.getByRole("checkbox", { name: "Select all that match" }).click();
      await bar.getByRole("button", { name: "Delete" }).click();
      await page.route(/_fields=id/, async (route) => {
        await ask("POST /products", { name: "Silk Scarf" });
        await page.unroute(/_fields=id/);
        await route.fallback();
      });
      await page.getByRole("button", { name: "Delete 2 records" }).click();
      await page.getByText("Records of products have just changed. Try again.").waitFor();
      expect((await ask("GET /products?name=Silk Scarf&_fields=id")).text).toBe('[{"id":9},{"id":13},{"id":14}]');
    },
  );
});

/** The requests that the console makes, without a browser. */
describe("many records at once", () => {
  const open = async () => {
    const url = await serve();
    return { ask: (line: string, options?: AskOptions) => askAt(url, line, options) };
  };
  type Asked = Awaited<ReturnType<typeof open>>;
  const sent = async ({ ask }: Asked, requests: readonly BatchRequest[]) => {
    const answer = await ask("POST /__batch", { body: { requests } });
    return { ...answer, responses: (answer.body as { responses: BatchResponse[] }).responses };
  };
  const tagged = async (api: Asked, paths: readonly string[]): Promise<TaggedRecord[]> => {
    const { responses } = await sent(
      api,
      paths.map((path) => ({ method: "GET", path })),
    );
    return responses.map(({ body, headers }, at) => ({
      path: paths[at] as string,
      value: body as JsonObject,
      etag: headers.ETag as string,
    }));
  };

  test("are changed, put back, and removed, as they were read or not at all", async () => {
    const api = await open();
    const before = (await api.ask("GET /products")).text;
    const records = await tagged(api, ["/products/1", "/products/2", "/products/12"]);
    const requests = changingRequests(records, { field: "price", value: 25.5 });
    // Two of them have that price already.
    expect(requests.map(({ path }) => path)).toEqual(["/products/1"]);
    const renamed = changingRequests(records, { field: "name", value: "Same" });
    const { responses } = await sent(api, renamed);
    expect((await api.ask("GET /products?name=Same&_aggregate=count")).body).toEqual([{ count: 3 }]);
    const undoing = revertingRequests(records, renamed, responses);
    expect((await sent(api, undoing)).status).toBe(200);
    expect((await api.ask("GET /products")).text).toBe(before);

    // Large ones come back in several requests.
    expect(inParts(["aaaa", "b", "cccc", "ä"], 12)).toEqual([
      ["aaaa", "b"],
      ["cccc", "ä"],
    ]);
    expect([inParts([]), inParts(["too large"], 3)]).toEqual([[], [["too large"]]]);

    // All of them have changed since they were read.
    expect(codeOf(await sent(api, removingRequests(records)))).toBe("RECORD_CHANGED");
    const [first, ...others] = await tagged(api, ["/products/1", "/products/2"]);
    const without = changingRequests([first as TaggedRecord, ...others], { field: "price", value: undefined });
    expect((await sent(api, without)).status).toBe(200);
    expect((await api.ask("GET /products/1")).body).toEqual({ id: 1, name: "Steel Hat", company_id: 1 });
    expect((await sent(api, removingRequests(await tagged(api, ["/products/1", "/products/2"])))).status).toBe(200);
    expect((await api.ask("GET /products?_aggregate=count")).body).toEqual([{ count: 10 }]);
  });

  test("that are too many for a batch are chosen by their filter, and no more of them than were seen", async () => {
    const { ask } = await open();
    const query = parseListQuery("price:gte=100&_sort=name&_fields=id");
    const choosing = choosingQuery(query, "id", new Set(["5"]));
    expect(choosing).toBe("price:gte=100&id:nin=5");
    const set = matchingRequest("products", choosing, { field: "name", value: null }, 1);
    expect(set).toEqual({
      method: "PATCH",
      path: "/products?price:gte=100&id:nin=5",
      headers: { Prefer: "max-affected=1" },
      body: { name: null },
    });
    const { method, path, headers, body = {} } = set;
    expect((await ask(`${method} ${path}`, { headers, body })).body).toEqual({ count: 1, ids: [8] });
    const take = matchingRequest("products", choosing, { field: "name", value: undefined }, 1);
    await ask(`${take.method} ${take.path}`, { headers: take.headers, body: take.body as object });
    expect((await ask("GET /products/8")).body).toEqual({ id: 8, price: 100, company_id: 2 });
    // Ids that were picked one by one are never left out by mistake.
    const ids = Array.from({ length: 1500 }, (_, at) => String(at + 9));
    const picked = choosingQueries(query, "id", select(NOTHING, ids, true));
    expect(picked.map((text) => text.slice(0, 18))).toEqual(["id:in=9,10,11,12,1", "id:in=1009,1010,10"]);
    expect(choosingQueries(query, "id", { kind: "allBut", ids: new Set(["5"]) })).toEqual([choosing]);
    const requests = picked.map((text) => matchingRequest("products", text, undefined, 1500));
    const { body: batched } = await ask("POST /__batch", { body: { requests } });
    expect(batched).toMatchObject({ responses: [{ body: { ids: [9, 10, 11, 12] } }, { body: { count: 0 } }] });
    const all = matchingRequest("products", choosingQuery(parseListQuery(""), "id", new Set()), undefined, 7);
    expect(all.path).toBe("/products?_all=true");
    expect(codeOf(await ask(`DELETE ${all.path}`, { headers: all.headers }))).toBe("MAX_AFFECTED");
  });
});

describe("an amount by which numbers increase", () => {
  test.each([
    ["10", 5, 15],
    ["-2.5", 5, 2.5],
    ["0.2", 0.1, 0.3],
    ["10%", 12.75, 14.03],
    ["-50 %", 9, 4.5],
    ["+10%", 1.1, 1.21],
  ])("%s makes of %d %d", (amount, before, after) => expect(increaseBy(amount)?.(before)).toBe(after));

  test.each(["", "a lot", "10 %%", "1e400", "Infinity"])("%j is none", (text) =>
    expect(increaseBy(text)).toBeUndefined(),
  );
});
