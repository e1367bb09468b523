import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { sharedChromium } from "../../support/chromium.ts";
import { createFolder } from "../../support/cli.ts";
import { serveJsonServer } from "../../support/json-server-cli.ts";
import { runKept, serveKept } from "../../support/kept-process.ts";

/** A small shop: a list with pages, a search by company, a record, and forms that create, change and delete. */
const APP = `<!doctype html><meta charset="utf-8"><title>Shop</title>
<select id="company"></select> <button id="next">Next page</button>
<ul id="list"></ul><section id="product"></section>
<form id="new"><input name="name" required><button>Add</button></form>
<script type="module">
const api = new URLSearchParams(location.search).get("api");
const at = (id) => document.getElementById(id);
const send = async (path, method = "GET", body) => {
  const headers = { Authorization: "Bearer very-secret-token-123", ...(body && { "Content-Type": "application/json" }) };
  const response = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(path + " " + response.status);
  return response.json();
};
let page = 1;
const list = async () => {
  const company = at("company").value;
  const found = await send("/products?_page=" + page + "&_limit=4" + (company && "&company_id=" + company));
  at("list").replaceChildren(...found.map(({ id, name }) => {
    const item = document.createElement("li");
    item.innerHTML = "<button></button>";
    item.firstChild.textContent = name;
    item.firstChild.onclick = () => show(id);
    return item;
  }));
};
const show = async (id) => {
  const product = await send("/products/" + id);
  const company = product.company_id ? await send("/companies/" + product.company_id) : { name: "nobody" };
  at("product").innerHTML = "<h2></h2><p></p><button id=cheaper>Cheaper</button><button id=remove>Remove</button>";
  at("product").querySelector("h2").textContent = product.name;
  at("product").querySelector("p").textContent = "by " + company.name + ", " + product.price;
  at("cheaper").onclick = async () => { await send("/products/" + id, "PATCH", { price: 1 }); await show(id); };
  at("remove").onclick = async () => { await send("/products/" + id, "DELETE"); at("product").replaceChildren(); await list(); };
};
at("next").onclick = () => { page++; list(); };
at("company").onchange = () => { page = 1; list(); };
at("new").onsubmit = async (event) => {
  event.preventDefault();
  const { id } = await send("/products", "POST", { name: event.target.name.value, price: 5 });
  await show(id);
};
const companies = await send("/companies");
at("company").innerHTML = "<option value=''>All" + companies.map(({ id, name }) => "<option value=" + id + ">" + name).join("");
await list();
</script>`;

const started = await sharedChromium();
const app = createServer((_, res) => res.setHeader("Content-Type", "text/html").end(APP)).listen(0, "127.0.0.1");

beforeAll(async () => {
  if (!app.listening) await once(app, "listening");
});
afterAll(() => app.close());

/** The checks of the app: all that its user does, and what must be seen then. */
async function checkApp(page: Page, api: string): Promise<string[]> {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`http://127.0.0.1:${(app.address() as AddressInfo).port}/?api=${encodeURIComponent(api)}`);
  const names = () => page.locator("#list li").allTextContents();
  const [first, second] = catalog().products.map(({ name }) => String(name));
  await expect.poll(names).toHaveLength(4);
  const seen = [...(await names())];
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(names).not.toEqual(seen);
  seen.push(...(await names()));
  await page.locator("#company").selectOption("1");
  await expect.poll(names).toContain(first);
  seen.push(...(await names()));
  await page.locator("#company").selectOption("");
  await page.getByRole("button", { name: second ?? "", exact: true }).click();
  await page.getByRole("heading", { name: second ?? "" }).waitFor();
  seen.push((await page.locator("#product p").textContent()) ?? "");
  await page.locator("input[name=name]").fill("Paper Kite");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("heading", { name: "Paper Kite" }).waitFor();
  seen.push((await page.locator("#product p").textContent()) ?? "");
  await page.getByRole("button", { name: "Cheaper" }).click();
  await page.getByText("by nobody, 1").waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => page.locator("#product").textContent()).toBe("");
  expect(problems).toEqual([]);
  return seen;
}

test.skipIf(started.kind === "none")(
  "the checks of an app pass offline, on the recording of its own traffic",
  async () => {
    const { browser } = started as { browser: Browser };
    const folder = createFolder({ "db.json": catalog() });
    const api = await serveJsonServer(["db.json"], folder);
    const recorded = await browser.newContext({ recordHar: { path: join(folder, "app.har") } });
    const online = await checkApp(await recorded.newPage(), api);
    await recorded.close();
    const run = runKept(["record", "--from", "app.har", "--out", "mock"], folder);
    expect(await run.exit, run.output.stderr).toBe(0);
    expect(run.output.stdout).toContain(api);
    const { url, stop } = await serveKept(["mock/api.json", "--data", "mock/data.json"], folder);
    const offline = await browser.newContext();
    expect(await checkApp(await offline.newPage(), url)).toEqual(online);
    await offline.close();
    await stop();
  },
);
