import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { createStandin } from "../../src/index.ts";
import { type Candidate, findChromium } from "../support/chromium.ts";
import { createFolder } from "../support/cli.ts";

const PLAYWRIGHT = resolve("node_modules/@playwright/test/cli.js");
const products = ["Hat", "Mug", "Pot"].map((name, position) => ({ id: position + 1, name }));

/** Where a browser is; a text says why there is none. */
export const browser: Candidate | string = await findChromium();

/** Runs the Playwright suite against one server; when it is over, nobody has touched the data that all share. */
export async function runInParallel(workers: number, repeats: number): Promise<void> {
  if (typeof browser === "string") throw new Error(browser);
  const staticFolder = createFolder();
  copyFileSync("test/browser/shop.html", join(staticFolder, "shop.html"));
  await using api = await createStandin({ data: { products }, staticFolder });
  const env = {
    ...process.env,
    STANDIN_URL: api.url,
    STANDIN_TEST_BROWSER: browser.place,
    STANDIN_TEST_BROWSER_ENV: JSON.stringify(browser.env ?? {}),
  };
  const config = ["--config", "test/browser/playwright.config.ts", "--output", createFolder()];
  const args = [PLAYWRIGHT, "test", ...config, "--workers", String(workers), "--repeat-each", String(repeats)];
  const failure = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 26 }).then(
    () => undefined,
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`.slice(0, 5000),
  );
  expect(failure).toBeUndefined();
  expect(await api.db.products.find()).toEqual(products);
  expect(await (await fetch(`${api.url}/__sandboxes`)).json()).toEqual({ sandboxes: [] });
  expect(new Set(api.requests().map(({ sandbox }) => sandbox)).size).toBeGreaterThan(1);
}
