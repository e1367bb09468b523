import { afterAll, beforeAll, describe, expect } from "vitest";
import { createFolder, type Served } from "../../support/cli.ts";
import { serveHosted } from "../../support/hosted.ts";
import {
  accessibilityProblems,
  inBrowser,
  inBrowserAtLength,
  openConsole,
  PHONE,
  problemsOnTheWay,
  resize,
} from "./browser.ts";

describe("the console of a server without data", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveHosted([], createFolder());
  });
  afterAll(() => served.stop());

  inBrowserAtLength("shows the pipeline, requests and faults, and no view of data", async () => {
    const page = await openConsole(served.url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const views = page.getByRole("navigation", { name: "Views" });
    expect(await views.getByRole("link").allInnerTexts()).toEqual([
      "Overview",
      "Examples",
      "Request",
      "Traffic",
      "Test lab",
      "API docs",
    ]);
    const stages = page.getByRole("list", { name: "The stages of a request" });
    expect((await stages.getByRole("listitem").allInnerTexts()).at(-1)).toBe("Examples\nFixed");
    expect(await page.getByText("Main data").count()).toBe(0);
    expect(await page.getByText("No data yet").count()).toBe(0);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.getByRole("link", { name: "start page" }).click();
    await page.getByRole("heading", { name: "Latest requests" }).waitFor();
    await page.getByRole("link", { name: "Console" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  });

  inBrowser("lists the examples, opens one as a request, and a miss names the nearest", async () => {
    const page = await openConsole(served.url, { at: "/examples", provokes: [404] });
    const list = page.getByRole("region", { name: "Examples" });
    await list.getByRole("listitem").first().waitFor();
    const all = await list.getByRole("listitem").count();
    expect(all).toBeGreaterThan(1);
    await page.getByLabel("Find an example").fill("get one company");
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await list.getByRole("button", { name: "one company" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".response-line").getByText("200").waitFor();
    await page.getByLabel("Path").fill("/nowhere/at/all");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The nearest are").first().waitFor();
  });

  inBrowserAtLength("documents the examples, and sends one from the API docs", async () => {
    const page = await openConsole(served.url, { at: "/docs" });
    await page.getByRole("heading", { level: 1, name: "API docs" }).waitFor();
    const index = page.getByRole("navigation", { name: "Operations" });
    await index.getByRole("link", { name: "GET /products/{id}" }).click();
    await page.getByRole("heading", { level: 2, name: "one product" }).waitFor();
    await page.getByText("/products/{id}").first().waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText('"Example Product"').first().waitFor();
    await resize(page, PHONE);
    await page.goto(`${served.url}/__docs`);
    await page.getByRole("heading", { level: 1, name: "API docs" }).waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
  });

  inBrowserAtLength("adds a fault, and shows the request that it met", async () => {
    const page = await openConsole(served.url, { at: "/lab" });
    await page.getByRole("heading", { level: 1, name: "Test lab" }).waitFor();
    expect(await page.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual(["Faults"]);
    const fault = { fault: "status", status: 503, path: "/products" };
    const headers = { "Content-Type": "application/json" };
    await fetch(`${served.url}/__faults`, { method: "POST", headers, body: JSON.stringify(fault) });
    await page.getByText("/products").first().waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    expect((await fetch(`${served.url}/products`)).status).toBe(503);
    await fetch(`${served.url}/__faults`, { method: "DELETE" });
    await resize(page, PHONE);
    await page.getByRole("link", { name: "Traffic" }).click();
    await page.getByRole("heading", { level: 1, name: "Traffic" }).waitFor();
    await page.getByText("/products").first().waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
  });

  inBrowserAtLength("says so where a view of data is opened by its address or key", async () => {
    const page = await openConsole(served.url, { at: "/data" });
    await page.getByText("There is no data here").waitFor();
    await page.keyboard.press("4");
    await page.getByRole("heading", { level: 1, name: "Traffic" }).waitFor();
    await page.keyboard.press("6");
    await page.getByText("There is no data here").waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
  });
});
