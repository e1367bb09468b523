import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowser, openPage } from "./browser.ts";
import { serveForTest } from "./serve.ts";
import { close, execute, operation } from "./tried-out.ts";

/** The viewer takes seconds for each collection. */
const { products } = catalog();

describe("/__docs", () => {
  inBrowser("describes what is served, and lets it be tried: a read and a write", async () => {
    const { url } = await serveForTest([], createFolder({ "db.json": { products } }));
    const page = await openPage(url, "/__docs");
    const list = await operation(page, "get", "/products");
    const filters = list.locator('tr[data-param-name="filters"]');
    expect(await filters.locator("textarea").inputValue()).toBe("{}");
    expect(await filters.innerText()).not.toContain("OrderedMap");
    const [status, body] = await execute(list);
    expect(status).toContain("200");
    expect(JSON.parse(body)).toEqual(products);
    await close(list);

    const write = await operation(page, "patch", "/products/{id}");
    await write.locator('tr[data-param-name="id"] input').fill("2");
    await write.locator("textarea").fill('{"name":"Tried out"}');
    expect((await execute(write))[0]).toContain("200");
    expect(await (await fetch(`${url}/products/2`)).json()).toMatchObject({ name: "Tried out" });
  });
});
