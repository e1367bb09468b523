import { expect } from "vitest";
import { inBrowser, openConsole } from "../features/console/browser.ts";
import { serveForTest } from "../features/console/serve.ts";
import { createFolder } from "../support/cli.ts";
import { IS_SOAK } from "../support/soak.ts";

const STEP_MS = IS_SOAK ? 4 : 10;

inBrowser("no letter gets lost, however long after the one before it is typed", async () => {
  const { url } = await serveForTest(["--memory"], createFolder({ "db.json": { notes: [{ id: 1, text: "short" }] } }));
  const page = await openConsole(url, { at: "/data/notes", profile: {} });
  await page.getByText("1 record", { exact: true }).waitFor();
  const box = page.getByLabel("Search all fields");
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  let typed = "";
  // Around the pause after which what was typed goes into the address.
  for (let pauseMs = 170; pauseMs <= 230; pauseMs += STEP_MS) {
    typed += "x";
    await box.fill(typed);
    await page.clock.runFor(pauseMs);
    expect(await box.inputValue()).toBe(typed);
  }
  await page.clock.runFor(1000);
  expect(page.url()).toContain(`?q=${typed}`);
});
