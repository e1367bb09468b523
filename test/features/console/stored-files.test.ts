import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { askAt } from "../../support/api.ts";
import { silentWave } from "../files/silent-wave.ts";
import { encodeSeconds, webm } from "../files/webm.ts";
import { inBrowserAtLength, inBrowserWithServer, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PICTURE = { name: "hat.png", mimeType: "image/png", buffer: PNG };
const SHOP = {
  products: [
    { id: 1, name: "Hat", photo: null },
    { id: 2, name: "Cap", photo: null },
  ],
};
const serve = serveForFile(["--max-file-bytes", "1000"], { "db.json": SHOP });

/** Drops files on an element, as a person drags them in from a folder. */
async function drop(target: Locator, ...files: readonly { name: string; mimeType: string; buffer: Buffer }[]) {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] }));
  const dataTransfer = await target.page().evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, bytes } of ${JSON.stringify(given)})
      transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
    return transfer;
  })()`);
  for (const type of ["dragover", "drop"]) await target.dispatchEvent(type, { dataTransfer });
}

const photoOf = async (url: string, id: number): Promise<unknown> =>
  ((await askAt(url, `GET /products/${id}`)).body as JsonObject).photo;

/** Whether a picture has been fetched and can be seen. */
const isSeen = (image: Locator): Promise<boolean> =>
  image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth > 0);

const durationOf = (media: unknown): number => (media as { duration: number }).duration;

const cellOf = (page: Page, row: number): Locator => page.locator(`[data-row="${row}"] [data-field=photo]`);

describe("files in the console", () => {
  inBrowserWithServer("a file that is dropped on a cell is stored there, shown", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products", provokes: [413] });
    await drop(cellOf(page, 0), PICTURE);
    await cellOf(page, 0).getByText("hat.png").waitFor();
    await expect.poll(() => isSeen(cellOf(page, 0).locator("img"))).toBe(true);
    expect(await photoOf(url, 1)).toMatchObject({ name: "hat.png", type: "image/png", size: PNG.length });
    await page.getByRole("button", { name: "Gallery", exact: true }).click();
    const gallery = page.getByRole("region", { name: "Gallery of products" });
    await expect.poll(() => isSeen(gallery.getByRole("link", { name: /Hat/ }).locator("img"))).toBe(true);
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.getByRole("button", { name: "Table", exact: true }).click();

    // Too large, and in a cell that holds something else.
    await drop(cellOf(page, 1), { ...PICTURE, buffer: Buffer.alloc(1001) });
    await page.getByRole("dialog").getByText("A file may have at most 1000 bytes.").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).first().click();
    await drop(page.locator('[data-row="1"] [data-field=name]'), PICTURE);
    await page.getByRole("dialog").getByText("name holds another value.").waitFor();
    expect(await photoOf(url, 2)).toBe(null);
  });

  inBrowserAtLength("the form of a record chooses, previews and removes files", async () => {
    const url = await serve();
    const page = await openConsole(url, { at: "/data/products/2", provokes: [413] });
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Options of photo" }).click();
    await page.getByRole("menuitemradio", { name: "File" }).click();
    const box = form.getByRole("group", { name: "Files of photo" });
    await box.locator("input[type=file]").setInputFiles({ ...PICTURE, buffer: Buffer.alloc(1001) });
    await box.getByRole("alert").getByText("A file may have at most 1000 bytes.").waitFor();
    await box.locator("input[type=file]").setInputFiles(PICTURE);
    await expect.poll(() => isSeen(box.getByRole("img", { name: "hat.png" }))).toBe(true);
    await drop(box, { name: "tone.wav", mimeType: "audio/wav", buffer: silentWave(0.01) });
    await box.locator("audio").waitFor();
    await expect.poll(() => box.locator("audio").evaluate(durationOf)).toBeGreaterThan(0);
    const [frame = ""] = await page.evaluate(encodeSeconds, 1);
    const frames = [{ timeMs: 0, data: Buffer.from(frame, "base64") }];
    const film = webm(frames, { width: 64, height: 64, durationMs: 1000, voidBytes: 0 });
    await drop(box, { name: "film.webm", mimeType: "video/webm", buffer: film });
    await expect.poll(() => box.locator("video").evaluate(durationOf)).toBe(1);
    await drop(box, { name: "bill.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") });
    await box.getByRole("link", { name: "Open bill.pdf" }).waitFor();
    // A browser without a viewer would save it.
    const isViewer = await page.evaluate(() => navigator.pdfViewerEnabled);
    expect(await box.locator("iframe").count()).toBe(isViewer ? 1 : 0);
    await drop(box, { name: "tone.wav", mimeType: "audio/wav", buffer: silentWave(0.01) });
    await box.locator("audio").waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => photoOf(url, 2)).toMatchObject({ name: "tone.wav", type: "audio/wav" });
    await page.evaluate("location.hash = '/data/products/2'");
    await box.getByRole("button", { name: "Remove tone.wav" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => photoOf(url, 2)).toBe(null);
  });
});
