import { expect } from "vitest";
import { inBrowserWithServer, openConsole } from "../features/console/browser.ts";
import { serveForTest } from "../features/console/serve.ts";
import { createFolder } from "../support/cli.ts";

/** Changes the address as soon as the page has drawn anything, as a fast click does on a slow machine. */
const CHANGE_AT_ONCE = `new MutationObserver((_changes, observer) => {
  if (!document.getElementById("content")) return;
  observer.disconnect();
  location.hash = "#/request";
}).observe(document, { childList: true, subtree: true })`;

inBrowserWithServer("the console follows an address that changes right after its first drawing", async () => {
  const { url } = await serveForTest([], createFolder({ "db.json": { things: [{ id: 1 }] } }));
  const page = await openConsole(url, { profile: {} });
  await page.addInitScript(CHANGE_AT_ONCE);
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Request");
});
