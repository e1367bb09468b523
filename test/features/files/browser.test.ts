import type { RequestHandler } from "express";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { startApi } from "../../support/api.ts";
import { sharedChromium } from "../../support/chromium.ts";
import { inChromium, inChromiumAtLength } from "../../without-a-server/worker-site.ts";
import { silentWave } from "./silent-wave.ts";
import { encodeSeconds, webm } from "./webm.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const HAT = { name: "hat.png", mimeType: "image/png", buffer: Buffer.from(PNG, "base64") };

async function openTab(): Promise<Page> {
  const started = await sharedChromium();
  if (started.kind === "none") throw new Error(started.reason);
  const page = await started.browser.newPage();
  onTestFinished(() => page.close());
  return page;
}

inChromium("the page of the example uploads a picture by FormData, and lists it", async () => {
  const { url } = await startApi({ data: { pictures: [] }, static: "examples/picture-list/page" });
  const page = await openTab();
  await page.goto(`${url}/`);
  await page.getByLabel("Title").fill("A hat");
  await page.getByLabel("Picture").setInputFiles(HAT);
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("A hat").waitFor();
  await page.reload();
  const image = page.getByRole("img", { name: "A hat" });
  await image.waitFor();
  const width = await image.evaluate(async (shown: HTMLImageElement) => {
    await shown.decode();
    return shown.naturalWidth;
  });
  expect(width).toBe(1);
});

inChromiumAtLength("a form without a script, with an input that has no file", async () => {
  const { url, ask } = await startApi({ data: { products: [{ id: 1, price: 5 }] } });
  const page = await openTab();
  await page.route(`${url}/form.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="/products" enctype="multipart/form-data">
        <input name="price" value="7"><input type="file" name="photo"><input type="file" name="empty"><button>Send</button></form>`,
    }),
  );
  await page.goto(`${url}/form.html`);
  await page.setInputFiles("[name=photo]", HAT);
  await Promise.all([page.waitForURL(`${url}/products`), page.click("button")]);
  const made = (await ask("GET /products/2")).body as { price: number; photo: { type: string } };
  expect([made.price, made.photo.type, Object.keys(made)]).toEqual([7, "image/png", ["price", "photo", "id"]]);
});

/** Uploads a file, lets a player seek in it, and returns where that is, and the ranges that it asked for. */
async function seekIn(content: Buffer, type: string, page: Page) {
  const ranges: string[] = [];
  const watch: RequestHandler = (req, _res, next) => {
    if (req.url.startsWith("/__files/")) ranges.push(req.headers.range ?? "none");
    next();
  };
  const { url, ask } = await startApi({ data: { films: [] }, middlewares: [watch] });
  const uploaded = await ask("POST /__files?name=film", { body: content, headers: { "Content-Type": type } });
  await page.goto(`${url}/films`);
  const seen = await page.evaluate(
    async ([source = "", at = ""]) => {
      const film = document.createElement("video");
      film.muted = true;
      film.src = source;
      const happens = (event: string) =>
        new Promise((resolve, reject) => {
          film.addEventListener(event, resolve, { once: true });
          film.addEventListener("error", () => reject(new Error(film.error?.message)), { once: true });
        });
      film.preload = "metadata";
      await happens("loadedmetadata");
      const seeked = happens("seeked");
      film.currentTime = Number(at);
      await seeked;
      const context = new OffscreenCanvas(64, 64).getContext("2d");
      if (film.videoWidth > 0) context?.drawImage(film, 0, 0);
      const isWhite = (x: number): boolean => (context?.getImageData(x, 32, 1, 1).data[0] ?? 0) > 128;
      const shown = [0, 1, 2, 3, 4].reduce((sum, bit) => sum + (isWhite(12 * bit + 6) ? 2 ** bit : 0), 0);
      return { duration: Math.round(film.duration), time: film.currentTime, shown };
    },
    [(uploaded.body as { url: string }).url, "15.5"],
  );
  return { ...seen, ranges };
}

inChromiumAtLength("a sound seeks", async () => {
  const seen = await seekIn(silentWave(60), "audio/wav", await openTab());
  expect([seen.duration, seen.time]).toEqual([60, 15.5]);
});

const SECONDS = 20;

inChromiumAtLength("a film seeks by a range, and shows the picture of that time", async () => {
  const page = await openTab();
  const { url } = await startApi({ data: { films: [] } });
  // Encoders are for pages of a server alone.
  await page.goto(`${url}/films`);
  const encoded = await page.evaluate(encodeSeconds, SECONDS);
  const frames = encoded.map((data, at) => ({ timeMs: at * 1000, data: Buffer.from(data, "base64") }));
  const film = webm(frames, { width: 64, height: 64, durationMs: SECONDS * 1000, voidBytes: 1_000_000 });
  const { duration, time, shown, ranges } = await seekIn(film, "video/webm", page);
  expect([duration, time, shown]).toEqual([SECONDS, 15.5, 15]);
  const starts = ranges.map((range) => Number(/^bytes=(\d+)-/.exec(range)?.[1]));
  expect(starts[0]).toBe(0);
  expect(Math.max(...starts)).toBeGreaterThan(10_000_000);
});
