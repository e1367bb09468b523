import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { startReceiver } from "../hooks/receiver.ts";
import {
  inBrowserAtLength,
  inBrowserWithServer,
  openConsole,
  openPage,
  PHONE,
  problemsOnTheWay,
  resize,
} from "./browser.ts";
import { serveForTest } from "./serve.ts";

const TIMELINE = [{ name: "pay", on: "orders.created", after: "30m", set: { status: "paid" } }];

describe("hooks in the console", () => {
  inBrowserWithServer("a hook is added, sends, is sent again, and an hour later has sent more", async () => {
    const { url: target, received } = await startReceiver();
    const config = { hookTargets: [new URL(target).origin], timeline: TIMELINE };
    const { url } = await serveForTest([], createFolder({ "db.json": { orders: [] }, "standin.json": config }));
    const page = await openConsole(url, { at: "/hooks", provokes: [400] });
    await page.getByRole("list", { name: "Timeline" }).getByText('set {"status":"paid"}').waitFor();

    await page.getByRole("button", { name: "New hook" }).click();
    await page.getByLabel("Name").fill("all");
    await page.getByLabel("Events, separated by commas").fill("orders.made, orders.changed");
    await page.getByLabel("Address").fill(target);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText('"on" is "orders.made"').waitFor();
    await page.getByLabel("Events, separated by commas").fill("orders.created, orders.changed");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const hooks = page.getByRole("list", { name: "Hooks" });
    await hooks.getByText(target).waitFor();

    await askAt(url, "POST /orders", { body: { status: "new" } });
    const deliveries = page.getByRole("list", { name: "Deliveries" });
    await deliveries.getByText(/done\s+all\s+orders.created 1\s+1 attempt/).click();
    await deliveries.getByText('"orders.created"').waitFor();
    await deliveries.getByRole("cell", { name: "200" }).waitFor();
    await page
      .getByRole("list", { name: "Due" })
      .getByText(/pay changes the record of orders.created 1/)
      .waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await problemsOnTheWay(page), "the view").toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });

    await page.getByRole("button", { name: "Clock: Real time" }).click();
    await page.getByRole("button", { name: "+1 h" }).click();
    await deliveries.getByText(/done\s+all\s+orders.changed 1/).waitFor();
    await page.getByRole("button", { name: "Clock: Moved" }).waitFor();
    expect((await askAt(url, "GET /orders/1")).body).toMatchObject({ status: "paid" });
    expect(await problemsOnTheWay(page), "the clock").toEqual([]);
    await page.getByRole("button", { name: "Real time", exact: true }).click();
    await page.getByRole("button", { name: "Clock: Real time" }).waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Redeliver orders.created 1" }).click();
    await deliveries.getByText(/orders.created 1\s+2 attempts/).waitFor();
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual([
      "orders.created",
      "orders.changed",
      "orders.created",
    ]);

    await resize(page, PHONE);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await page.getByRole("button", { name: "Edit all" }).click();
    await page.getByLabel("Only if (optional)").fill("status=paid");
    await page.getByLabel("Delay (optional)").fill("3s");
    await page.getByRole("button", { name: "Save" }).click();
    await hooks.getByText("· after 3s").waitFor();
    await page.getByRole("button", { name: "Edit all" }).click();
    await page.getByLabel("Delay (optional)").fill("");
    expect(await problemsOnTheWay(page), "the form").toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await hooks.getByText("· after 3s").waitFor({ state: "detached" });
    await hooks.getByRole("switch", { name: "all is on" }).click();
    await hooks.getByText("off", { exact: true }).waitFor();
    expect((await askAt(url, "GET /__hooks/all")).body).toMatchObject({ off: true, if: "status=paid" });
    await page.getByRole("button", { name: "Remove all" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await hooks.waitFor({ state: "detached" });
  });

  inBrowserAtLength("a sandbox has a clock of its own, which others may move, too", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": { orders: [] } }));
    await askAt(url, "POST /__sandboxes", { body: { name: "ann" } });
    const page = await openPage(url, "/__sandbox/ann/__console#/hooks");
    await page.getByText("No hooks yet").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await askAt(url, "POST /__sandbox/ann/__clock", { body: { set: "2030-05-06T07:08:09Z" } });
    await page.getByRole("button", { name: /Clock: Moved.*6 May 2030/ }).click();
    await page.getByRole("button", { name: "+1 h" }).click();
    await expect
      .poll(async () => (await askAt(url, "GET /__sandbox/ann/__clock")).text)
      .toContain('"now":"2030-05-06T08:');
    expect((await askAt(url, "GET /__clock")).body).toMatchObject({ kind: "real" });
  });
});
