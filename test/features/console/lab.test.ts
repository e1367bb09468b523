import type { Request } from "playwright-core";
import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import {
  addressOf,
  DESKTOP,
  inBrowser,
  inBrowserAtLength,
  inBrowserInSoak,
  openConsole,
  openPage,
  problemsOnTheWay,
} from "./browser.ts";
import { collect } from "./copied-code.ts";
import { IS_DEMO } from "./demo.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const DATA = catalog();
const serve = serveForFile(["--snapshots", "snapshots"], { "db.json": DATA });

async function send(url: string, line: string, body?: object, headers: Record<string, string> = {}) {
  const [method, path] = line.split(" ") as [string, string];
  const sent = { method, headers: { "Content-Type": "application/json", ...headers } };
  return fetch(`${url}${path}`, body ? { ...sent, body: JSON.stringify(body) } : sent);
}

describe("the test lab", () => {
  inBrowserAtLength("a fault made in the test lab answers 503 and shows its hit", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/lab", provokes: [400] });
    await page.getByRole("button", { name: "Maintenance" }).click();
    const builder = page.getByRole("dialog", { name: "New fault" });
    await builder.getByRole("button", { name: "POST", exact: true }).click();
    await builder.getByLabel("Collection").selectOption("products");
    // The reason of a refusal is in sight, and a preset keeps the requests that were named.
    await builder.getByRole("button", { name: "Rate limited" }).click();
    await builder.getByLabel("Headers").fill("Content-Length: 5");
    await builder.getByRole("button", { name: "Add fault" }).click();
    await builder.getByText("Invalid fault").waitFor();
    expect((await builder.getByText("Invalid fault").boundingBox())?.y).toBeLessThan(DESKTOP.height);
    await builder.getByRole("button", { name: "Maintenance" }).click();
    await builder.getByLabel("At most (times)").fill("2");
    await builder.getByText("POST /products: Status 503, at most 2 times").waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    // A second click while the first one is at work adds no second fault.
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Requests to a worker cannot be held.
    if (!IS_DEMO) await page.route("**/__faults", (route) => held.then(() => route.continue()));
    await builder.getByRole("button", { name: "Add fault" }).click();
    if (!IS_DEMO) expect(await builder.getByRole("button", { name: "Add fault" }).isDisabled()).toBe(true);
    release();
    const fault = page.getByRole("list", { name: "Active faults" }).getByRole("listitem");
    await fault.getByText("0of 2").waitFor();
    expect((await send(url, "POST /products", { name: "Hat" })).status).toBe(503);
    await fault.getByText("1of 2").waitFor();
    // Other requests do not meet it.
    expect((await send(url, "GET /products")).status).toBe(200);
    const power = fault.getByRole("switch", { name: "Status 503 is on" });
    await power.click();
    await page.getByText("Switched “Status 503” for POST /products off.").waitFor();
    expect((await send(url, "POST /products", { name: "Hat" })).status).toBe(201);
    await power.click();
    await page.getByText("Switched “Status 503” for POST /products on.").waitFor();
    await fault.getByRole("button", { name: "Test code" }).click();
    const code = page.getByRole("dialog", { name: "Test code" });
    const runners = [
      ["Vitest", "await createStandin({"],
      ["Playwright", `const SERVER = "${url}";`],
      ["C#", "Assert.Equal(503, (int)response.StatusCode);"],
    ] as const;
    for (const [runner, part] of IS_DEMO ? runners.slice(0, 1) : runners) {
      await code.getByRole("button", { name: runner }).click();
      await code.getByText(part).waitFor();
    }
    if (IS_DEMO) await code.getByText("Only pages of this site reach it").waitFor();
    else {
      await code.getByRole("button", { name: "Playwright" }).click();
      const [, passes] = await collect(await code.locator("pre").innerText(), {});
      await passes(
        { page: { setExtraHTTPHeaders: () => undefined }, request: page.request },
        { testId: "t", retry: 0 },
      );
    }
    await page.keyboard.press("Escape");
    await fault.getByRole("button", { name: "Remove Status 503" }).click();
    await page.getByText("Removed “Status 503” for POST /products.").waitFor();
    expect((await send(url, "POST /products", { name: "Hat" })).status).toBe(201);
    // Said beside the view, and only until something else is said.
    expect(await page.getByText("Switched “Status 503”").count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await fault.getByText("0of 2").waitFor();
    expect((await send(url, "POST /products", { name: "Hat" })).status).toBe(503);
    // One that is used up is used again, or edited.
    expect((await send(url, "POST /products", { name: "Hat" })).status).toBe(503);
    await fault.getByText("used up").waitFor();
    await fault.getByRole("button", { name: "Use again" }).click();
    await fault.getByText("0of 2").waitFor();
    await fault.getByRole("button", { name: "Edit Status 503" }).click();
    const edited = page.getByRole("dialog", { name: "Edit fault" });
    await edited.getByLabel("At most (times)").fill("5");
    await edited.getByRole("button", { name: "Save" }).click();
    await fault.getByText("0of 5").waitFor();
    await expect.poll(() => fault.count()).toBe(1);
    await send(url, "DELETE /__faults");
    // Of another client: the list follows.
    await page.getByText("Nothing goes wrong yet").waitFor();
  });

  inBrowserInSoak("a sequence of faults is written in a line, for the main data only", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/lab" });
    await page.getByRole("button", { name: "New sequence" }).click();
    const dialog = page.getByRole("dialog", { name: "New sequence" });
    const line = dialog.getByLabel("What happens, request by request");
    await line.fill("2 x 503, then oops");
    await dialog.getByText("“oops” is no step.").waitFor();
    expect(await dialog.getByRole("button", { name: "Add sequence" }).isDisabled()).toBe(true);
    await line.fill("ok");
    await dialog.getByRole("button", { name: "Add sequence" }).click();
    await dialog.getByText("No step is a fault").waitFor();
    await line.fill("2 x 503, then 1 x 200 after 20 ms");
    await dialog.getByText("Request 3: 20 ms late").waitFor();
    await dialog.getByLabel("Sandbox").selectOption("Main data only");
    expect(await problemsOnTheWay(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add sequence" }).click();
    const late = page.getByRole("list", { name: "Active faults" }).getByRole("listitem").filter({ hasText: "late" });
    await late.getByText("after the first 2 requests").waitFor();
    await late.getByText("main data only").waitFor();
    expect((await send(url, "GET /__sandbox/own/products")).status).toBe(200);
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await send(url, "GET /products")).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
    await late.getByText("1of 1").waitFor();
    for (const path of ["/__faults", "/__sandboxes"]) await send(url, `DELETE ${path}`);
  });

  inBrowserAtLength(
    "a scenario is put together, played in a sandbox step by step, and copied as a test that passes",
    async () => {
      const url = await serve();
      await send(url, "PATCH /products/1", { name: "Winter Hat" });
      await send(url, "POST /__snapshots__", { name: "winter" });
      await send(url, "POST /__reset");
      const page = await openConsole(url, { at: "/lab" });
      await page.getByRole("button", { name: "New scenario" }).click();
      const dialog = page.getByRole("dialog", { name: "New scenario" });
      await dialog.getByLabel("Name").fill("winter");
      await dialog.getByLabel("Requests").fill("2 x 503, then ok");
      await dialog.getByRole("button", { name: "Add a step" }).click();
      await dialog.getByLabel("Data").nth(1).selectOption("winter");
      expect(await problemsOnTheWay(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save" }).click();
      const row = page.getByRole("list", { name: "Scenarios" }).getByRole("listitem");
      // Another name renames it.
      await row.getByRole("button", { name: "Edit winter" }).click();
      await page.getByRole("dialog", { name: "Edit winter" }).getByLabel("Name").fill("winter outage");
      await page.keyboard.press("Enter");
      await row.getByText("winter outage").waitFor();
      expect(await row.count()).toBe(1);
      await row.getByText("2 x 503, then ok → Data of winter").waitFor();
      await row.getByRole("button", { name: "Play" }).click();
      const player = page.getByRole("region", { name: "Playing winter outage" });
      await player.getByText("step 1 of 2").waitFor();
      const target = await player.locator("code").innerText();
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent++) statuses.push((await fetch(`${target}/products/1`)).status);
      expect(statuses).toEqual([503, 503, 200]);
      await player.getByRole("button", { name: "Next step" }).click();
      await player.getByText("step 2 of 2").waitFor();
      expect(await (await fetch(`${target}/products/1`)).json()).toMatchObject({ name: "Winter Hat" });
      expect(await (await send(url, "GET /products/1")).json()).toMatchObject({ name: "Steel Hat" });

      await row.getByRole("button", { name: "Test code" }).click();
      const code = page.getByRole("dialog", { name: "Test code" });
      await code.getByRole("button", { name: "C#" }).click();
      await code.getByText("foreach (var status in new[] { 503, 503, 200 })").waitFor();
      await code.getByRole("button", { name: "Playwright" }).click();
      await code.getByText("setExtraHTTPHeaders").waitFor();
      const [, passes] = await collect(await code.locator("pre").innerText(), {});
      await passes(
        { page: { setExtraHTTPHeaders: () => undefined }, request: page.request },
        { testId: "s", retry: 0 },
      );
      await page.keyboard.press("Escape");
      // It is there after a reload.
      await page.reload();
      await row.getByRole("button", { name: "Remove winter outage" }).click();
      await row.waitFor({ state: "detached" });
      for (const path of ["/__sandboxes", "/__snapshots__/winter"]) await send(url, `DELETE ${path}`);
    },
  );

  inBrowser("sandboxes are created, changed, compared field by field and promoted", async () => {
    const url = await serve();
    await send(url, "POST /__snapshots__", { name: "early" });
    const page = await openConsole(url, { at: "/lab", provokes: [409] });
    const card = (name: string) => page.getByRole("listitem", { name });
    const create = async (name: string, start: string): Promise<void> => {
      await page.getByRole("button", { name: "New sandbox" }).click();
      await page.getByLabel("Name (optional)").fill(name);
      await page.getByRole("radio", { name: start }).check();
      await page.getByRole("button", { name: "Create", exact: true }).click();
    };
    await create("ann", "Current data");
    // On a busy machine, some of the 30 minutes may be gone.
    await card("ann")
      .getByText(/^Expires in \d+ min$/)
      .waitFor();
    await create("ann", "Empty");
    await page.getByText("The sandbox ann already exists.").waitFor();
    await page.getByLabel("Name (optional)").fill("bob");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await card("bob").waitFor();
    await create("eve", "Snapshot");
    await card("eve").waitFor();
    expect(await (await send(url, "GET /__sandbox/bob/products")).json()).toEqual([]);

    await send(url, "PATCH /__sandbox/ann/products/1", { name: "Felt Hat" });
    await send(url, "DELETE /__sandbox/ann/products/2");
    await send(url, "PATCH /__sandbox/eve/products/1", { name: "Straw Hat" });
    await send(url, "PATCH /products/3", { name: "Tall Lamp" });
    await card("ann").getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog", { name: "Compare ann with the main data" });
    const changed = dialog.getByRole("region", { name: "products 1, changed" });
    await changed.getByRole("row", { name: "name Steel Hat Felt Hat" }).waitFor();
    await dialog.getByRole("region", { name: "products 2, removed" }).waitFor();
    await dialog.getByRole("button", { name: "All differences" }).click();
    await dialog.getByRole("region", { name: "products 3, changed" }).getByText("Tall Lamp").waitFor();
    await dialog.getByRole("button", { name: "Apply to main data" }).click();
    await page.getByText("Applied ann to the main data: 1 record changed, 1 record removed.").waitFor();
    expect(await (await send(url, "GET /products/1")).json()).toMatchObject({ name: "Felt Hat" });

    await card("eve").getByRole("button", { name: "Compare" }).click();
    await page.getByText("1 conflict with the main data").waitFor();
    const conflict = page.getByRole("region", { name: "products 1, conflict" });
    await conflict.getByRole("row", { name: "name Steel Hat Felt Hat Straw Hat" }).waitFor();
    expect(await page.getByRole("button", { name: "Apply to main data" }).isDisabled()).toBe(true);
    await conflict.getByRole("button", { name: "Keep main" }).click();
    await conflict.getByRole("button", { name: "Take eve" }).click();
    await page.getByRole("button", { name: "Apply to main data" }).click();
    await page.getByText("Applied eve to the main data: 1 record changed.").waitFor();
    expect(await (await send(url, "GET /products/1")).json()).toMatchObject({ name: "Straw Hat" });
    await send(url, "DELETE /__sandboxes");
  });

  inBrowserInSoak("a sandbox is reset, discarded, opened, and found among many", async () => {
    const url = await serve();
    await send(url, "POST /__sandboxes", { name: "bob", from: "empty" });
    await send(url, "POST /__sandboxes", { name: "eve" });
    const page = await openConsole(url, { at: "/lab" });
    const card = (name: string) => page.getByRole("listitem", { name });
    await send(url, "PATCH /__sandbox/eve/products/1", { name: "Top Hat" });
    const choose = async (name: string, action: string): Promise<void> => {
      await card(name)
        .getByRole("button", { name: `More for ${name}` })
        .click();
      await page.getByRole("menuitem", { name: action }).click();
      await page.getByRole("button", { name: action, exact: true }).click();
    };
    // Each of many records is shown in full.
    await card("bob").getByRole("button", { name: "Compare" }).click();
    await page.getByRole("button", { name: "All differences" }).click();
    await page.getByRole("region", { name: "products 12, removed" }).waitFor();
    const cut = "[...document.querySelectorAll('.change')].filter((c) => c.scrollHeight > c.clientHeight).length";
    expect(await page.evaluate(cut)).toBe(0);
    expect((await page.getByText("Close", { exact: true }).boundingBox())?.y).toBeLessThan(DESKTOP.height);
    await page.keyboard.press("Escape");
    await choose("eve", "Reset");
    await page.getByText("Reset eve.").waitFor();
    expect(await (await send(url, "GET /__sandbox/eve/products/1")).json()).toMatchObject({ name: "Steel Hat" });
    await choose("eve", "Discard");
    await card("eve").waitFor({ state: "detached" });

    await card("bob").getByRole("link", { name: "Open" }).click();
    await page.getByText(`${url}/__sandbox/bob`).first().waitFor();
    await page.goto(addressOf(url, "/__sandbox/bob/__console#/lab"));
    await card("bob").getByText("You are here").waitFor();
    await page.getByRole("button", { name: "New fault" }).click();
    expect(await page.getByLabel("Sandbox", { exact: true }).inputValue()).toBe("bob");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByText("in bob").waitFor();
    expect((await send(url, "GET /products")).status).toBe(200);
    expect((await send(url, "GET /__sandbox/bob/products")).status).toBe(503);

    // Many of them do not push the faults out of sight, and are found by name, here and in the bar.
    for (let at = 1; at <= 10; at++) await send(url, "POST /__sandboxes", { name: `ci-${at}` });
    await page.getByRole("button", { name: "Show all 11" }).waitFor();
    expect(await page.getByRole("list", { name: "Sandboxes" }).getByRole("listitem").first().innerText()).toMatch(
      /^bob/,
    );
    await page.getByLabel("Find a sandbox").fill("CI-1");
    await card("ci-10").waitFor();
    expect(await page.getByRole("list", { name: "Sandboxes" }).getByRole("listitem").count()).toBe(2);
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("s");
    await page.getByRole("dialog", { name: "Data to show" }).getByLabel("Find a sandbox").fill("i-7");
    await page.keyboard.press("Enter");
    await page.waitForURL(addressOf(url, "/__sandbox/ci-7/__console#/lab"));
    await card("ci-7").getByText("You are here").waitFor();
    await choose("ci-7", "Discard");
    await page.waitForURL(addressOf(url, "/__console#/lab"));
    await card("ci-10").waitFor();
    expect(await card("ci-7").count()).toBe(0);
    await send(url, "DELETE /__sandboxes");
  });

  inBrowserAtLength(
    "a page leaves its sandbox before it discards it, and asks for nothing in it any more",
    async () => {
      const url = await serve();
      await send(url, "POST /__sandboxes", { name: "ann" });
      const page = await openPage(url, "/__sandbox/ann/__console#/lab");
      await page.getByText("Live", { exact: true }).waitFor();
      const isStream = (request: Request): boolean => request.url().includes("/__events");
      const leftByPage = page.waitForEvent("requestfailed", isStream);
      const endedByServer = page.waitForEvent("requestfinished", isStream).then(() => "the server ended the stream");
      endedByServer.catch(() => undefined);
      // The main data takes its time.
      let show = (): void => {};
      const shown = new Promise<void>((done) => {
        show = done;
      });
      await page.route(`${url}/__console`, (route) => shown.then(() => route.continue()));
      await page.getByRole("button", { name: "More for ann" }).click();
      await page.getByRole("menuitem", { name: "Discard" }).click();
      const clicked = page.getByRole("button", { name: "Discard", exact: true }).click();
      expect(await Promise.race([leftByPage.then(() => "the page left"), endedByServer])).toBe("the page left");
      show();
      await clicked;
      await page.getByText("No sandboxes yet").waitFor();
      await page.unrouteAll();
    },
  );

  inBrowserAtLength(
    "what is off, read-only or out of reach is said, with what to do; clock and seed are shown",
    async () => {
      const args = ["--sandboxes", "0", "--read-only", "--seed", "7", "--clock", "2030-01-01T12:00:00Z"];
      const { url, stop } = await serveForTest(args, createFolder({ "db.json": DATA }));
      const page = await openConsole(url, { at: "/lab", provokes: [404, 409], losesServer: true });
      await page.getByText("Start the server without --sandboxes 0").waitFor();
      await page.getByText("This server is read-only, so faults cannot be added.").waitFor();
      const run = page.getByRole("region", { name: "The same in every run" });
      await run.getByText("Stopped").waitFor();
      await run.getByText("1 Jan 2030").waitFor();
      await run.getByText("7", { exact: true }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("new");
      expect(await page.getByRole("option", { name: /^New/ }).count()).toBe(0);
      await page.keyboard.press("Escape");
      await page.getByRole("combobox").waitFor({ state: "detached" });
      expect(await page.getByRole("button", { name: /^New/ }).count()).toBe(0);
      await stop();
      await page.getByText("You see the last known state").waitFor();
    },
  );
});
