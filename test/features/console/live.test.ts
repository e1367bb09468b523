import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import {
  inBrowser,
  inBrowserAtLength,
  inBrowserInSoak,
  inBrowserWithServer,
  openConsole,
  PHONE,
  problemsOnTheWay,
} from "./browser.ts";
import { IS_DEMO } from "./demo.ts";
import { serveForTest } from "./serve.ts";

const KEY = "csharp-0123456789";
const TOKEN = "a-fixed-token-of-this-test";

async function serve(config: object = {}, args: string[] = []) {
  const folder = createFolder({ "db.json": catalog(), "standin.json": config, "routes.json": { "/api/*": "/$1" } });
  const { url } = await serveForTest(args, folder);
  return { url, ask: askAt.bind(undefined, url) };
}

describe("traffic", () => {
  inBrowser("requests appear as they come, with the address they became, filtered, paused and in detail", async () => {
    const { url, ask } = await serve({ routes: "routes.json" });
    const page = await openConsole(url, { at: "/traffic" });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Requests to a worker cannot be held.
    if (!IS_DEMO) await page.route("**/__requests?*", (route) => held.then(() => route.continue()));
    await page.reload();
    await page.getByRole("heading", { name: "Traffic" }).waitFor();
    // An unknown number is not zero.
    if (!IS_DEMO) expect(await page.getByText("0 requests").count()).toBe(0);
    release();
    await page.getByText("No requests yet").waitFor();
    await ask("GET /api/products/1", { headers: { authorization: "Bearer abcdefghijklmnop" } });
    await ask("POST /products", { body: { name: "Live Lamp" } });
    await ask("GET /nowhere", { headers: { "user-agent": "curl/8.5" } });
    const rows = page.locator(".entries tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByText("→ /products/1").waitFor();
    await page.getByText("3 requests", { exact: true }).waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);

    await page.getByLabel("Filter requests").fill("post products");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel("Filter requests").fill("");
    await page.getByRole("button", { name: "4xx 1" }).click();
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("/nowhere404")]);
    // Its code and its client are in the row, and found by the filter.
    await rows.getByText(/^[A-Z]+_NOT_FOUND$/).waitFor();
    if (!IS_DEMO) await rows.getByText("curl", { exact: true }).waitFor();
    await page.getByRole("button", { name: "4xx 1" }).click();

    await page.getByRole("button", { name: "Pause" }).click();
    await ask("GET /companies");
    await page.getByText("paused, 1 more since").waitFor();
    expect(await rows.count()).toBe(3);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => rows.count()).toBe(4);

    await page.getByRole("button", { name: "GET /api/products/1" }).click();
    const details = page.getByRole("dialog", { name: "GET request" });
    await details.getByText('"name": "Steel Hat"').waitFor();
    await details
      .getByText(/headers/)
      .first()
      .click();
    await details.getByText("Beare...").waitFor();
    expect(await page.getByText("abcdefghijklmnop").count()).toBe(0);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await details.getByRole("button", { name: "Open as request" }).click();
    await page.getByText(IS_DEMO ? `fetch("${url}/api/products/1"` : `curl '${url}/api/products/1'`).waitFor();
    // A header that the log masks is there to be filled in, instead of being left out without a word.
    await page.getByText("The value of authorization is not kept. Enter it").waitFor();
    // A browser sends headers of its own before it.
    const names = await page.getByLabel(/^Name of header \d+$/).all();
    const sent = await Promise.all(names.map((name) => name.inputValue()));
    expect(sent).toContain("authorization");
    expect(await page.getByText("-H 'authorization").count()).toBe(0);
    await page.getByLabel(`Value of header ${sent.indexOf("authorization") + 1}`, { exact: true }).fill("Bearer mine");
    await page.getByText(/authorization\W+Bearer mine/).waitFor();
    expect(page.url()).not.toContain("mine");
  });

  inBrowserAtLength(
    "a burst is filtered by time, drawn as a waterfall, repeated, made a fault and saved without secrets",
    async () => {
      const { url, ask } = await serve();
      const page = await openConsole(url, { at: "/traffic" });
      await page.getByText("No requests yet").waitFor();
      await ask("POST /__faults", { body: { fault: "latency", ms: 40, path: "/companies" } });
      await Promise.all([
        ask("GET /companies"),
        ask("GET /products/1"),
        ask("PATCH /products/2", { body: { price: 3 } }),
        ask("GET /products/1", { headers: { "X-Standin-Sandbox": "ann" } }),
      ]);
      const rows = page.locator(".entries tbody tr");
      await expect.poll(() => rows.count()).toBe(4);
      const fault = page.getByRole("row", { name: "/companies" });
      await fault.getByRole("cell", { name: "40 ms late" }).waitFor();
      await page.getByRole("row", { name: /\bann\b/ }).waitFor();

      // The legend and both axes say what is drawn.
      const chart = page.getByRole("region", { name: "Requests over time" });
      for (const text of ["2xx, 3xx", "4xx", "5xx, no response", "95th percentile"]) {
        await chart.getByText(text, { exact: true }).waitFor();
      }
      for (const text of ["Requests", "Took"]) await chart.getByText(text, { exact: true }).waitFor();
      const latency = page.getByRole("region", { name: "How long they took" });
      for (const text of ["Median", "p95", "p99"]) await latency.locator("dt", { hasText: text }).waitFor();
      await latency.locator("svg text", { hasText: "p50" }).waitFor();

      // The first half of the chart, dragged: there were no requests then.
      const area = (await page.locator(".brush-area").boundingBox())!;
      await page.mouse.move(area.x + 2, area.y + 20);
      await page.mouse.down();
      await page.mouse.move(area.x + area.width / 2, area.y + 20);
      await page.mouse.up();
      await page.getByText("No request matches").waitFor();
      // An edge of the time shown, dragged by its grip.
      const end = page.getByRole("slider", { name: "To" });
      const slot = async (): Promise<number> => Number(await end.getAttribute("aria-valuenow"));
      const before = await slot();
      const grip = (await end.boundingBox())!;
      await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
      await page.mouse.down();
      await page.mouse.move(area.x + area.width / 4, grip.y + grip.height / 2);
      await page.mouse.up();
      await expect.poll(slot).toBeLessThan(before * 0.75);
      // Moved to the end with a key: now the requests are in it.
      await end.focus();
      await page.keyboard.press("End");
      await page.getByRole("slider", { name: "From" }).focus();
      await page.keyboard.press("PageUp");
      await expect.poll(() => rows.count()).toBe(4);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Show all times" }).waitFor({ state: "detached" });

      await page.getByRole("button", { name: "Waterfall" }).click();
      // How many there are depends on how fast the machine is.
      await page.getByRole("heading", { name: /Burst \d of \d/ }).waitFor();
      await page.getByText(/\d requests? in .* m?s/).waitFor();
      expect(await page.locator(".track-bar").count()).toBe(await rows.count());
      await page.getByRole("button", { name: "PATCH 1", exact: true }).click();
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole("button", { name: "PATCH 1", exact: true }).click();
      await page.getByRole("button", { name: "With a fault 1" }).click();
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole("button", { name: "With a fault 1" }).click();
      await page.getByRole("button", { name: "List" }).click();

      await ask("POST /products", { body: { name: "Again", password: "my-long-password" } });
      await ask("POST /products", { body: { name: "Long", text: "x".repeat(5000) } });
      await ask("POST /companies", { body: { name: "Repeated Ltd" } });
      await ask("GET /companies/1", { headers: { "X-API-KEY": "my-secret-key-0123" } });
      await expect.poll(() => rows.count()).toBe(8);
      await rows.nth(1).getByRole("button").click();
      const details = page.getByRole("dialog", { name: "POST request" });
      // By keyboard, which keeps its place in the dialog while the request is sent.
      await details.getByRole("button", { name: "Repeat" }).press("Enter");
      const fresh = details.getByRole("region", { name: "New response", exact: true });
      await fresh.getByText("201").waitFor();
      await fresh.getByText('"name": "Repeated Ltd"').waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Repeat");
      await fresh.getByText("Body differs").waitFor();
      await details.getByRole("button", { name: "Close" }).click();
      // The new one is in the log, too.
      await expect.poll(() => rows.count()).toBe(9);
      expect((await ask("GET /companies?name=Repeated%20Ltd")).body).toHaveLength(2);

      // One that was not kept whole, or whose secrets are masked, says so.
      await page.getByRole("button", { name: "POST /products" }).first().click();
      await details
        .getByText("Only the first 4,096 characters of the request's body were kept.", { exact: true })
        .waitFor();
      expect(await details.getByRole("button", { name: "Repeat" }).isDisabled()).toBe(true);
      await details.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "POST /products" }).last().click();
      await details.getByText("A secret in the URL or the body is masked.").waitFor();
      await details.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "GET /companies/1" }).click();
      await page.getByText("The log masks x-api-key.").waitFor();
      const read = page.getByRole("dialog", { name: "GET request" });
      expect(await read.getByRole("button", { name: "Repeat" }).isDisabled()).toBe(true);
      await read.getByRole("button", { name: "Close" }).click();

      await page.getByRole("button", { name: "Save as" }).click();
      for (const name of [".http file", "HAR 1.2"]) await page.getByRole("menuitem", { name }).waitFor();
      const downloading = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "HAR 1.2" }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/^traffic-[\dT-]+\.har$/);
      const saved = readFileSync(await download.path(), "utf8");
      expect(saved).toContain("Repeated Ltd");
      expect(saved).not.toMatch(/my-long-password|my-secret-key/);

      await page.getByRole("button", { name: "POST /companies" }).first().click();
      await details.getByRole("button", { name: "Make a fault" }).click();
      const builder = page.getByRole("dialog", { name: "New fault" });
      expect(await builder.getByLabel("Path").inputValue()).toBe("/companies");
      expect(await builder.getByRole("button", { name: "POST" }).getAttribute("aria-pressed")).toBe("true");
    },
  );

  inBrowserAtLength("what the console itself reads is left out, what it writes is not", async () => {
    const { url } = await serve();
    const page = await openConsole(url, { at: "/data/products/1" });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByLabel("price", { exact: true }).fill("12");
    await record.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed products/1").waitFor();
    await page.goto(`${url}/__console#/traffic`);
    await page.getByText("1 request", { exact: true }).waitFor();
    await page.getByRole("button", { name: "PATCH /products/1 console" }).click();
    await page.getByRole("dialog").getByText('"price": 12').first().waitFor();
  });
});

describe("snapshots", () => {
  inBrowser("saved under a name, compared, restored; and the data reset", async () => {
    const { url, ask } = await serve({}, ["--snapshots", "shots"]);
    const page = await openConsole(url, { at: "/snapshots", provokes: [404] });
    const name = page.getByLabel("Name (optional)");
    for (const [typed, isRight] of [
      ["冬", false],
      ["x".repeat(101), false],
      ["before the sale", true],
    ] as const) {
      await name.fill(typed);
      expect(await page.evaluate('document.querySelector(".save-form input").validity.valid')).toBe(isRight);
    }
    await page.getByRole("button", { name: "Save a snapshot" }).click();
    await page.getByText("Saved as before-the-sale.").waitFor();
    await ask("PATCH /products/1", { body: { price: 1 } });
    await ask("DELETE /products/2");
    await ask("POST /companies", { body: { name: "New" } });
    await page.getByRole("link", { name: "Compare before-the-sale" }).click();
    await page.getByText("3 records differ").waitFor();
    const changed = page.getByRole("region", { name: "products 1, changed" });
    await changed.getByRole("row", { name: "price 10 1" }).waitFor();
    expect(await changed.getByRole("row").count()).toBe(2);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.getByRole("button", { name: "companies 1" }).click();
    const created = page.getByRole("region", { name: "companies 4, created" });
    await changed.waitFor({ state: "detached" });
    await created.getByRole("button", { name: "Delete companies 4" }).click();
    await created.waitFor({ state: "detached" });
    expect((await ask("GET /companies/4")).status).toBe(404);
    await page.getByRole("button", { name: "Undo" }).click();
    await created.waitFor();
    expect((await ask("GET /companies/4")).body).toEqual({ name: "New", id: 4 });

    await page.getByRole("button", { name: "All 3" }).click();
    const removed = page.getByRole("region", { name: "products 2, removed" });
    await removed.getByRole("button", { name: "Restore products 2" }).click();
    await removed.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Delete companies 4");
    expect((await ask("GET /products/2")).body).toEqual(catalog().products[1]);
    await changed.getByRole("button", { name: "Restore products 1" }).click();
    await changed.waitFor({ state: "detached" });
    expect((await ask("GET /products/1")).body).toEqual(catalog().products[0]);
    await page.getByRole("button", { name: "Undo" }).click();
    await changed.waitFor();
    expect((await ask("GET /products/1")).body).toMatchObject({ price: 1 });

    await page.getByRole("button", { name: "Restore everything" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByText("Nothing differs").waitFor();
    await ask("DELETE /__collections/companies");
    await page.getByText("companies was removed since then.").waitFor();
    await page.getByRole("button", { name: "Create companies" }).click();
    await page.getByRole("button", { name: "Restore companies 3" }).click();
    await page.getByText("Restored companies 3").waitFor();
    expect((await ask("GET /companies")).body).toEqual([catalog().companies[2]]);
    await page.goto(`${url}/__console#/snapshots/nowhere`);
    await page.getByText("There is no such snapshot").waitFor();
    await page.getByRole("link", { name: "Show the snapshots" }).click();

    await ask("DELETE /products/5");
    await page.getByRole("button", { name: "Reset the data" }).click();
    await page.getByLabel("Save the current data as a snapshot first").check();
    await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
    await page.getByText("Reset to the loaded data.").waitFor();
    expect((await ask("GET /products/5")).status).toBe(200);
    await page.getByRole("button", { name: "Delete before-the-sale" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("1 saved state").waitFor();
  });

  inBrowserInSoak(
    "two of them compared in three clicks; a selection restored, a collection saved before it goes",
    async () => {
      const { url, ask } = await serve({}, ["--snapshots", "shots"]);
      await ask("POST /__snapshots__", { body: { name: "early" } });
      await ask("PATCH /products/1", { body: { price: 1 } });
      await ask("PATCH /products/2", { body: { price: 2 } });
      await ask("POST /__snapshots__", { body: { name: "late" } });
      await ask("DELETE /products/3");
      const page = await openConsole(url, { at: "/snapshots" });
      const main = page.getByRole("main");
      await main.getByRole("link", { name: "Compare early" }).click();
      await page.getByText("3 records differ").waitFor();
      await page.getByLabel("Compare with").click();
      await page.getByRole("option", { name: /^late/ }).click();
      await page.getByText("2 records differ").waitFor();
      const changed = page.getByRole("region", { name: "products 1, changed" });
      await changed.getByRole("columnheader", { name: "late" }).waitFor();
      await changed.getByRole("row", { name: "price 10 1" }).waitFor();
      // Neither of them is the data.
      expect(await changed.getByRole("button").count()).toBe(0);
      await page.goBack();
      await page.getByText("3 records differ").waitFor();
      for (const id of [1, 3]) await page.getByRole("checkbox", { name: `Select products ${id}` }).check();
      await page.getByRole("button", { name: "Restore 2 records" }).click();
      await page.getByText("Restored 2 records").waitFor();
      await page.getByText("1 record differs").waitFor();
      const [first, second, , ...others] = catalog().products;
      expect((await ask("GET /products")).body).toHaveLength(others.length + 3);
      expect((await ask("GET /products/1")).body).toEqual(first);
      expect((await ask("GET /products/2")).body).toEqual({ ...second, price: 2 });

      await page.goto(`${url}/__console#/data/products`);
      await page.getByRole("button", { name: "Actions for products" }).click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await page.getByLabel("Save the current data as a snapshot first").check();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await expect.poll(async () => (await ask("GET /products")).status).toBe(404);
      expect((await ask("GET /__snapshots__")).body).toHaveLength(3);
    },
  );

  inBrowserAtLength("switched off: says how to switch them on, and still resets", async () => {
    const { url } = await serve();
    const page = await openConsole(url, { at: "/snapshots", viewport: PHONE });
    await page.getByText("Snapshots are off").waitFor();
    await page.getByRole("button", { name: "Reset the data" }).waitFor();
  });
});

describe("a guarded server", () => {
  inBrowserWithServer("asks for an API key, keeps it for the tab alone, and sends it with everything", async () => {
    const { url } = await serve({ middlewares: ["api-key"], layers: { "api-key": { keys: [KEY] } } });
    const page = await openConsole(url, { at: "/data/products", provokes: [400, 401, 403] });
    const question = page.getByRole("dialog", { name: "An API key is needed" });
    await question.getByRole("button", { name: "Continue" }).click();
    await question.getByText("Type the key.").waitFor();
    await question.getByLabel("API key").fill("ключ");
    await question.getByRole("button", { name: "Continue" }).click();
    await question.getByText("A key or token has no “к”.").waitFor();
    await question.getByLabel("API key").fill("no");
    expect(await problemsOnTheWay(page)).toEqual([]);
    await question.getByRole("button", { name: "Continue" }).click();
    await question.getByText("Malformed API key").waitFor();
    await question.getByLabel("API key").fill("wrong-key-0123456789");
    await page.keyboard.press("Enter");
    await question.getByText("Invalid API key").waitFor();
    await question.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await page.getByText("12 records").waitFor();
    await page.getByText("Live").waitFor();
    await page.reload();
    await page.getByText("12 records").waitFor();
    expect(await page.evaluate("JSON.stringify(localStorage)")).toBe("{}");
    expect(await page.context().cookies()).toEqual([]);

    const other = await page.context().newPage();
    await other.goto(`${url}/__console`);
    await other.getByRole("dialog", { name: "An API key is needed" }).waitFor();
    await other.getByRole("button", { name: "Not now" }).click();
    await other.getByRole("main").getByText("API key required").waitFor();
    await other.getByText("Not connected").waitFor();
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("textbox", { name: "API key" }).fill(KEY);
    await other.keyboard.press("Enter");
    await other.getByText("Live").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog", { name: "An API key is needed" }).waitFor();
  });

  inBrowserAtLength("asks for the token of the bearer layer", async () => {
    const { url } = await serve({ middlewares: ["bearer"], layers: { bearer: { token: TOKEN } } });
    const page = await openConsole(url, { at: "/traffic", provokes: [401] });
    await page.getByRole("dialog", { name: "A token is needed" }).getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("No requests yet").waitFor();
  });

  inBrowserAtLength("logs in for a write where tokens are signed, and then does it", async () => {
    const users = [{ email: "editor@example.com", password: "open sesame" }];
    const { url, ask } = await serve({ middlewares: ["signed-token"], layers: { "signed-token": { users } } });
    const page = await openConsole(url, { at: "/data/products/1", provokes: [401] });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByLabel("price", { exact: true }).fill("13");
    await record.getByRole("button", { name: "Save" }).click();
    const login = page.getByRole("dialog", { name: "Please log in" });
    await login.getByLabel("Email").fill("editor@example.com");
    await login.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await login.getByText("Email or password is wrong.").waitFor();
    await login.getByLabel("Password").fill("open sesame");
    await page.keyboard.press("Enter");
    await page.getByText("Changed products/1").waitFor();
    expect((await ask("GET /products/1")).body).toMatchObject({ price: 13 });
  });

  inBrowserAtLength("edits work where interceptors shape the responses and their tags", async () => {
    const config = { middlewares: ["./pass.cjs"] };
    const folder = createFolder({
      "db.json": catalog(),
      "standin.json": config,
      "pass.cjs": "module.exports = (req, res, next) => next();",
    });
    const { url } = await serveForTest([], folder);
    const page = await openConsole(url, { at: "/data/products/1" });
    const record = page.getByRole("dialog", { name: "products / 1" });
    await record.getByLabel("price", { exact: true }).fill("14");
    await record.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changed products/1").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone").waitFor();
    expect((await askAt(url, "GET /products/1")).body).toEqual(catalog().products[0]);
  });
});
