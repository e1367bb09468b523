import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { addressOf, inBrowser, inBrowserAtLength, inBrowserInSoak, openConsole, problemsOnTheWay } from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
import { serveForFile } from "./serve.ts";

const serve = serveForFile(["--snapshots", "snapshots"], { "db.json": catalog() });

const switcherOf = (page: Page) => page.getByRole("button", { name: "Main data. Switch to a sandbox" });

/** Creates the sandbox ann in the top bar, which leads into it. */
async function enterAnn(page: Page, url: string): Promise<void> {
  await switcherOf(page).click();
  await page.getByRole("button", { name: "New sandbox" }).click();
  await page.getByLabel("Name (optional)").fill("ann");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.waitForURL(addressOf(url, "/__sandbox/ann/__console#/data/products"));
}

describe("the top bar", () => {
  inBrowser("a sandbox is created and entered, and the main data stays as it is", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products", provokes: [404] });
    await enterAnn(page, url);
    await page.getByText("12 records").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await askAt(url, "PATCH /__sandbox/ann/products/1", { body: { name: "Felt Hat" } });
    await page.getByText("Felt Hat").waitFor();
    expect((await askAt(url, "GET /products/1")).body).toMatchObject({ name: "Steel Hat" });
    await askAt(url, "DELETE /__sandboxes/ann");
    await page.getByText("Sandbox ann is gone").waitFor();
  });

  inBrowserInSoak("the whole console works inside a sandbox, and says so when it is gone", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products", provokes: [404] });
    await enterAnn(page, url);

    await page.getByText("12 records").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await askAt(url, "PATCH /__sandbox/ann/products/1", { body: { name: "Felt Hat" } });
    await page.getByText("Felt Hat").waitFor();
    await askAt(url, "PATCH /companies/2", { body: { name: "Not in here" } });
    await page.evaluate("location.hash = '#/request'");
    await page.getByLabel("Path").fill("/products");
    await page.getByLabel("Method").selectOption("POST");
    await page.getByLabel("Body").fill('{ "name": "Cap" }');
    const code = IS_DEMO ? `fetch("${url}/__sandbox/ann/products"` : `curl -X POST '${url}/__sandbox/ann/products'`;
    await page.getByText(code).waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Created products/13").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone: created products/13").waitFor();
    expect((await askAt(url, "GET /products/1")).body).toMatchObject({ name: "Steel Hat" });
    expect((await askAt(url, "GET /__sandbox/ann/db")).text).not.toContain("Not in here");
    expect((await askAt(url, "GET /__sandbox/ann/products?_limit=20")).body).toHaveLength(12);

    await page.evaluate("location.hash = '#/traffic'");
    await page.getByText("You see the requests to this sandbox only.").waitFor();
    await page.getByRole("button", { name: "PATCH /products/1" }).waitFor();
    expect(await page.getByRole("main").getByText("/companies/2").count()).toBe(0);

    await page.keyboard.press("s");
    await page.getByRole("link", { name: /^ann/ }).waitFor();
    await page.keyboard.press("Escape");
    await askAt(url, "DELETE /__sandboxes/ann");
    await page.getByText("Sandbox ann is gone").waitFor();
    await page.getByRole("link", { name: "Show the main data" }).click();
    await page.waitForURL(addressOf(url, "/__console#/traffic"));
    await switcherOf(page).waitFor();
    await page.goto(addressOf(url, "/__sandbox/ann/__console"));
    await page.getByText("There is no sandbox ann").waitFor();
    expect((await askAt(url, "GET /__sandboxes")).body).toEqual({ sandboxes: [] });
  });

  inBrowserAtLength(
    "two faults are active, a switch turns them off and on, and the console never meets them",
    async () => {
      const url = await serve();
      const page = await openConsole(url, { provokes: [403, 503] });
      await page.getByText("Live", { exact: true }).waitFor();
      expect(await page.getByRole("switch").count()).toBe(0);
      const rule = { fault: "status", status: 503, path: "/products" };
      await askAt(url, "POST /__faults", { body: [rule, { fault: "latency", ms: 1, collection: "companies" }] });
      await page.getByRole("button", { name: "2 faults active" }).click();
      await page.getByText("Status 503").waitFor();
      expect((await askAt(url, "GET /products")).status).toBe(503);
      await page.getByRole("dialog", { name: "Faults" }).getByText("1 hit", { exact: true }).waitFor();
      expect(await problemsOnTheWay(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.evaluate("location.hash = '#/data/products'");
      await page.getByText("12 records").waitFor();
      await page.evaluate("location.hash = '#/request'");
      await page.getByLabel("Path").fill("/products");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("FAULT_ON_DEMAND").waitFor();

      await page.getByRole("switch", { name: "Faults" }).click();
      await page.getByRole("button", { name: "2 faults off" }).waitFor();
      expect((await askAt(url, "GET /products")).status).toBe(200);
      await page.getByRole("switch", { name: "Faults" }).click();
      await page.getByRole("button", { name: "2 faults active" }).waitFor();
      expect((await askAt(url, "GET /products")).status).toBe(503);
      const refused = {
        error: "Insufficient permissions",
        message: "This key may only read.",
        code: "API_KEY_FORBIDDEN",
      };
      await page.route("**/__faults/*", (route) => route.fulfill({ status: 403, json: refused }));
      await page.getByRole("switch", { name: "Faults" }).click();
      await page.getByRole("dialog", { name: "Faults" }).getByText("This key may only read.").waitFor();
      await page.unroute("**/__faults/*");
      await askAt(url, "DELETE /__faults");
      await page.getByRole("switch").waitFor({ state: "detached" });
    },
  );

  inBrowserAtLength("Ctrl+K finds collections, records by their ids, views, actions and settings", async () => {
    const url = await serve();
    const page = await openConsole(url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const search = page.getByRole("combobox", { name: "Search and commands" });
    const seek = async (text: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      await search.fill(text);
      await page.getByRole("option", { name: option, selected: true }).waitFor();
    };
    await seek("comp", /^companies/);
    await page.getByRole("option", { name: "New record in companies" }).waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "companies" }).waitFor();
    await seek("prod 3", "steel bottle products 3");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "products / 3" }).waitFor();
    await page.keyboard.press("Escape");
    await seek("snap", "Snapshots");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: "Save a snapshot", selected: true }).waitFor();
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "detached" });
    await seek("fault slow", "New fault: Slow 3G");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New fault" }).getByText("All requests: 2 s late").waitFor();
    await page.keyboard.press("Escape");
    await seek("add sandbox", "New sandbox");
    await page.keyboard.press("Escape");
    await seek("dark", "Use dark colours");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.keyboard.press("Control+k");
    await search.fill("nothing at all");
    await page.getByText("fits “nothing at all”").waitFor();
  });
});
