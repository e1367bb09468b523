import { describe, expect } from "vitest";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, openPage, PHONE } from "./browser.ts";
import { serveForTest } from "./serve.ts";
import { execute, operation } from "./tried-out.ts";

const KEY = "key-0123456789";

describe("/__docs", () => {
  inBrowser("asks for the key that a layer requires, and sends it with requests; fits a phone", async () => {
    const config = { middlewares: ["api-key"], layers: { "api-key": { keys: [{ key: KEY, permissions: ["read"] }] } } };
    const data = { settings: { theme: "plain" }, notes: [{ id: 1 }, { id: 2, text: "second" }] };
    const { url } = await serveForTest([], createFolder({ "db.json": data, "standin.json": config }));
    const page = await openPage(url, "/__docs", { viewport: PHONE, provokes: [401] });
    await page.getByRole("alert").getByText("API key").waitFor();
    await page.getByLabel("API key").fill(KEY);
    await page.getByRole("button", { name: "Show" }).click();
    const [status, body] = await execute(await operation(page, "get", "/settings"));
    expect(status).toContain("200");
    expect(JSON.parse(body)).toEqual(data.settings);
    const read = await operation(page, "get", "/notes/{id}");
    await read.locator('tr[data-param-name="id"] input').fill("2");
    const [statusOfOne, one] = await execute(read);
    expect(statusOfOne).toContain("200");
    expect(JSON.parse(one)).toEqual(data.notes[1]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  });
});
