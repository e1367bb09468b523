import { expect, test } from "vitest";
import { createFetch } from "../../src/app/fetch.ts";
import { limit } from "../support/limits.ts";
import { byPage, inChromium, openSite, PAGE, stopWorker } from "./worker-site.ts";

const DATA = '{ products: [{ id: 1, name: "Hat", price: 5 }] }';
const SHOP = `{ data: ${DATA}, base: "/api", name: "shop", persist: "indexeddb" }`;
const FORM = `${PAGE}<form method="post" action="/api/products" enctype="multipart/form-data">
  <input name="name" value="Cap"><input name="price" value="7"><input type="file" name="photo"><button>Send</button>
</form>`;
const CONTENT = Buffer.from("A picture of a cap, in words.");

inChromium("a form of a page uploads a file, which survives the worker and a reload", async () => {
  const site = await openSite(SHOP);
  site.files.set("/", FORM);
  const page = await site.open();
  await page.locator("input[type=file]").setInputFiles({ name: "cap.txt", mimeType: "text/plain", buffer: CONTENT });
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => page.textContent("body"), { timeout: limit(10_000) }).toMatch(/"price": ?7/);
  await page.goto(site.url);
  await page.evaluate("ready");
  await stopWorker(page);
  const send = byPage(page);
  const { photo } = JSON.parse((await send("GET /api/products/2", {})).body);
  expect(photo).toMatchObject({ name: "cap.txt", type: "text/plain", size: CONTENT.length });
  const whole = await send(`GET ${photo.url.replace(/^(?!\/api)/, "/api")}`, {});
  expect([whole.status, whole.body]).toEqual([200, CONTENT.toString()]);
  const part = await send("GET /api/products/2/photo", { Range: "bytes=2-8" });
  expect([part.status, part.body, part.headers.get("content-range")]).toEqual([206, "picture", "bytes 2-8/29"]);
});

test("createFetch stores the files of a form in memory", async () => {
  await using api = await createFetch({ data: { products: [{ id: 1, price: 5 }] } });
  const body = new FormData();
  body.append("price", "7");
  body.append("photo", new File([CONTENT], "cap.txt", { type: "text/plain" }));
  const made = await api.fetch(new Request("http://localhost/products", { method: "POST", body }));
  expect(made.status).toBe(201);
  const { photo, price } = (await made.json()) as { photo: { url: string; size: number }; price: number };
  expect([photo.size, price]).toEqual([CONTENT.length, 7]);
  const sent = await api.fetch(new Request(`http://localhost${photo.url}`, { headers: { Range: "bytes=2-8" } }));
  expect([sent.status, await sent.text()]).toEqual([206, "picture"]);
});
