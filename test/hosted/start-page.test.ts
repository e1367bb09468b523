import { expect, onTestFinished } from "vitest";
import { accessibilityProblems, inBrowser, openPage, PHONE } from "../features/console/browser.ts";
import { createFolder } from "../support/cli.ts";
import { openHostedWith } from "../support/hosted.ts";

const EXAMPLE = { name: "<b>one</b>", request: { path: "/teas/{{id}}" }, response: { body: { id: "{{id}}" } } };

inBrowser("the start page has no faults in light and dark, and its links lead to examples", async () => {
  const folder = createFolder({
    "teas.json": { examples: [EXAMPLE] },
    "broken.json": "{",
    "notes.txt": "x",
  });
  const api = await openHostedWith([folder]);
  onTestFinished(() => api.close());
  await api.ask("GET /teas/teas/9");
  // An example has no icon, so that a browser is told that there is none.
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await openPage(api.url, "/", { colorScheme, viewport: PHONE, provokes: [404] });
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    // All rules once; only colours differ in the dark.
    expect(await accessibilityProblems(page, colorScheme === "dark" ? ["color-contrast"] : undefined)).toEqual([]);
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "/brokenpublic",
      "/teaspublic",
      "Skipped files",
      "Latest requests",
    ]);
    // The policy allows the style of the page.
    expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize")).toBe("24px");
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(PHONE.width);
    await page.getByRole("link", { name: "/teas/{{id}}" }).click();
    expect(await page.textContent("body")).toContain('{"id":1}');
  }
});
