import { expect, onTestFinished, test } from "vitest";
import { startApi } from "../../support/api.ts";
import { sharedChromium } from "../../support/chromium.ts";
import { limit } from "../../support/limits.ts";
import { silentWave } from "./silent-wave.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a real form, FormData, pictures and seeking in Chromium", { timeout: limit(60_000) }, async (context) => {
  const started = await sharedChromium();
  if (started.kind === "none") return context.skip(started.reason);
  const { url, ask } = await startApi({ data: { products: [{ id: 1, price: 5 }] } });
  const page = await started.browser.newPage();
  onTestFinished(() => page.close());
  await page.route(`${url}/form.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="/products" enctype="multipart/form-data">
        <input name="price" value="7"><input type="file" name="photo"><input type="file" name="empty"><button>Send</button></form>`,
    }),
  );
  await page.goto(`${url}/form.html`);
  await page.setInputFiles("[name=photo]", {
    name: "hat.png",
    mimeType: "image/png",
    buffer: Buffer.from(PNG, "base64"),
  });
  await Promise.all([page.waitForURL(`${url}/products`), page.click("button")]);
  const made = (await ask("GET /products/2")).body as { price: number; photo: { url: string; type: string } };
  expect([made.price, made.photo.type, Object.keys(made)]).toEqual([7, "image/png", ["price", "photo", "id"]]);

  await page.goto(`${url}/form.html`);
  const seen = await page.evaluate(
    async ([picture, wave]) => {
      const bytes = Uint8Array.from(atob(wave ?? ""), (letter) => letter.charCodeAt(0));
      const form = new FormData();
      form.append("sound", new File([bytes], "long.wav", { type: "audio/wav" }));
      const record = await (await fetch("/products", { method: "POST", body: form })).json();
      const image = new Image();
      image.src = picture ?? "";
      await image.decode();
      const sound = document.createElement("video");
      sound.src = record.sound.url;
      const happens = (event: string) =>
        new Promise((resolve, reject) => {
          sound.addEventListener(event, resolve, { once: true });
          sound.addEventListener("error", () => reject(new Error(sound.error?.message)), { once: true });
        });
      sound.preload = "auto";
      await happens("loadedmetadata");
      const seeked = happens("seeked");
      sound.currentTime = 50;
      await seeked;
      return [image.naturalWidth, Math.round(sound.duration), sound.currentTime, sound.seekable.end(0) >= 50];
    },
    [made.photo.url, silentWave(60).toString("base64")],
  );
  expect(seen).toEqual([1, 60, 50, true]);
});
