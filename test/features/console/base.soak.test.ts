import { expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { inBrowserWithServer, openConsole } from "./browser.ts";
import { serveForTest } from "./serve.ts";

// A page that requests anything outside of the base fails its test.
inBrowserWithServer("below a base, the console shows data, traffic, docs and sandboxes", async () => {
  const { url } = await serveForTest(["--base", "/shop/api"], createFolder({ "db.json": catalog() }));
  const page = await openConsole(url, { at: "/data/products" });
  await page.getByText("Steel Hat").first().waitFor();
  await fetch(`${url}/companies`, {
    method: "POST",
    body: '{"name":"New Ltd"}',
    headers: { "Content-Type": "application/json" },
  });
  await page.goto(`${url}/__console#/traffic`);
  await page.getByRole("button", { name: "POST /companies" }).click();
  const details = page.getByRole("dialog", { name: "POST request" });
  await details.getByRole("button", { name: "Repeat" }).click();
  await expect
    .poll(async () => (await fetch(`${url}/companies?name=New%20Ltd`).then((found) => found.json())).length)
    .toBe(2);
  await page.goto(`${url}/__docs`);
  await page.getByText(url).first().waitFor();
  await fetch(`${url}/__sandbox/ann/products`);
  await page.goto(`${url}/__sandbox/ann/__console`);
  await page.getByText(`${url}/__sandbox/ann`).first().waitFor();
  await page.goto(`${url}/`);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const home = await fetch(url, { headers: { Accept: "text/html" } });
  expect(home.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(await home.text()).toContain('src="/shop/api/__console/assets/');
});
