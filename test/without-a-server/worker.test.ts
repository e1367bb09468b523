import { expect } from "vitest";
import { byPage, inChromium, openSite } from "./worker-site.ts";

const SHOP = `{ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api" }`;

inChromium("a page reads and writes, and other tabs see it", async () => {
  const site = await openSite(SHOP);
  const [one, other] = [byPage(await site.open()), byPage(await site.open())];
  const made = await one("POST /api/products", { "Content-Type": "application/json" }, '{"name":"Cap"}');
  expect([made.status, made.headers.get("location")]).toEqual([201, `${site.url}/api/products/2`]);
  expect(JSON.parse((await other("GET /api/products", {})).body)).toHaveLength(2);
  expect((await other("POST /api/__reset", {})).status).toBe(200);
  expect(JSON.parse((await one("GET /api/products", {})).body)).toHaveLength(1);
  expect(site.asked.filter((path) => path.startsWith("/api"))).toEqual([]);
});

inChromium("requests outside of the base and pages go on to the network", async () => {
  const site = await openSite(SHOP);
  site.files.set("/about", "<p>About").set("/apiary", "bees");
  const page = await site.open();
  const send = byPage(page);
  expect((await send("GET /apiary", {})).body).toBe("bees");
  expect((await send("GET /other", {})).status).toBe(404);
  await page.goto(`${site.url}/about`);
  expect(await page.textContent("p")).toBe("About");
});

inChromium("the base is relative to the scope of the worker", async () => {
  const site = await openSite(SHOP, "/repo/");
  site.files.set("/api/products", "not for it");
  const send = byPage(await site.open());
  const made = await send("POST /repo/api/products", {});
  expect(made.headers.get("location")).toBe(`${site.url}/repo/api/products/2`);
  expect((await send("GET /api/products", {})).body).toBe("not for it");
});

inChromium("data can be loaded when the first request comes", async () => {
  const site = await openSite(`{ data: () => fetch("/data.json").then((response) => response.json()), base: "/api" }`);
  site.files.set("/data.json", `{ "products": [{ "id": 7 }] }`);
  expect((await byPage(await site.open())("GET /api/products/7", {})).status).toBe(200);
});

inChromium("a mistake in the options is said in every response", async () => {
  const site = await openSite(`{ data: {}, base: "/api", rules: { products: {} } }`);
  const { status, body } = await byPage(await site.open())("GET /api/products", {});
  expect([status, JSON.parse(body).code]).toEqual([501, "OPTION_UNAVAILABLE"]);
});
