import { describe, expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { connectOverHttp } from "../agents/agent.ts";
import { inBrowserWithServer, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForTest } from "./serve.ts";

describe("agents in the console", () => {
  inBrowserWithServer("calls, changes and errors appear as they come; they are promoted or discarded", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": catalog() }));
    const page = await openConsole(url, { at: "/agents" });
    await page.getByText("No agents yet").waitFor();
    await page.getByText(`${url}/__mcp`).waitFor();

    const agent = await connectOverHttp(url, "2025-11-25");
    await agent.call("query", { path: "/products?_limit=2" });
    const name = String(agent.sandbox);
    const card = page.getByRole("region", { name, exact: true });
    await card.getByText("1 call · 0 changes · 0 errors").waitFor();
    await card.getByText("No differences yet.").waitFor();
    await agent.call("write", { requests: [{ method: "PATCH", path: "/products/1", body: { price: 11 } }] });
    await agent.call("query", { path: "/products/999" });
    await card.getByText("3 calls · 1 change · 1 error").waitFor();
    const changed = card.getByRole("region", { name: "products 1, changed" });
    await changed.getByRole("row", { name: "price 10 11" }).waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);

    // Each call has its details, and what it has changed.
    await card.getByRole("button", { name: "POST /__batch" }).click();
    const details = page.getByRole("dialog", { name: "POST request" });
    await details.getByRole("row", { name: "price 10 11" }).waitFor();
    await page.keyboard.press("Escape");

    await askAt(url, "PATCH /products/1", { body: { price: 12 } });
    await card.getByRole("button", { name: "Review and apply" }).click();
    await page.getByRole("button", { name: `Take ${name}`, exact: true }).click();
    await page.getByRole("button", { name: "Apply to main data" }).click();
    await page.getByText(`Applied ${name} to the main data: 1 record changed.`).waitFor();
    expect((await askAt(url, "GET /products/1")).body).toMatchObject({ price: 11 });
    await card.getByText("No differences yet.").waitFor();

    await card.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.getByText(`Discarded ${name}.`).waitFor();
    await card.getByText("its sandbox is gone").waitFor();

    await page.goto(`${url}/__console#/traffic`);
    const { requests } = (await askAt(url, "GET /__requests")).body as { requests: { version?: number }[] };
    expect(requests.filter(({ version }) => version !== undefined)).toHaveLength(2);
    const row = page
      .getByRole("row")
      .filter({ hasText: "PATCH/products/1" })
      .filter({ hasText: /version \d/ });
    await row.first().click();
    await page.getByRole("dialog").getByRole("row", { name: "price 10 12" }).waitFor();
  });
});
