import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { inBrowser, openConsole } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const serve = serveForFile([], { "db.json": catalog() });

describe("the request view", () => {
  inBrowser("takes an address as it is typed, sends a body by Ctrl+Enter, and keeps both on a reload", async () => {
    const page = await openConsole(await serve(), { at: "/request" });
    const path = page.getByLabel("Path");
    await path.fill("");
    await path.pressSequentially("/products?price:gt=10&_sort=-price");
    await page.keyboard.press("Enter");
    const response = page.getByRole("region", { name: "Response" });
    await response.getByText("200").waitFor();
    expect(await path.inputValue()).toBe("/products");
    expect(await page.getByLabel("Name of parameter 1").inputValue()).toBe("price:gt");
    expect(await page.getByLabel("Value of parameter 2").inputValue()).toBe("-price");

    await page.getByLabel("Method").selectOption("POST");
    await path.fill("/companies");
    for (const _ of [1, 2]) await page.getByRole("button", { name: "Remove parameter 1" }).click();
    await page.getByLabel("Body", { exact: true }).fill('{ "name": "Sent by keys" }');
    await page.keyboard.press("Control+Enter");
    await response.getByText("201").waitFor();

    const address = page.url();
    await page.reload();
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toBe('{ "name": "Sent by keys" }');
    // The address alone is enough, as in the browser of someone else.
    await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.goto(address);
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toBe('{ "name": "Sent by keys" }');
    expect(await page.getByLabel("Method").inputValue()).toBe("POST");
  });
});
