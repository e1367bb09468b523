import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { createStandin } from "../../src/index.ts";
import { launch, sharedChromium } from "../support/chromium.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { SCENARIOS, type Scenario } from "./shop.ts";

const products = ["Hat", "Mug", "Pot"].map((name, position) => ({ id: position + 1, name }));
const started = await sharedChromium();

/** Why there is no browser; empty when there is one. */
export const missing: string = started.kind === "none" ? started.reason : "";

/** One turn of a scenario, which names its sandbox by a header, a cookie or the path. */
interface Turn {
  readonly scenario: Scenario;
  readonly name: string;
  readonly way: "header" | "cookie" | "path";
}

/**
 * Runs all scenarios in this many browsers against one server, in each of them as many at a time; afterwards, the shared
 * data is untouched.
 */
export async function runInParallel(browsers: number, repeats: number, atATime = 1): Promise<void> {
  if (started.kind === "none") throw new Error(started.reason);
  const staticFolder = createFolder();
  copyFileSync("test/browser/shop.html", join(staticFolder, "shop.html"));
  await using api = await createStandin({ data: { products }, static: staticFolder });
  const turns = SCENARIOS.flatMap((scenario, kind) =>
    Array.from({ length: repeats }, (_, repeat): Turn => {
      const way = (["header", "cookie", "path"] as const)[repeat % 3]!;
      return { scenario, name: `scenario-${kind}-${repeat}`, way };
    }),
  );
  const others = await Promise.all(Array.from({ length: browsers - 1 }, () => launch(started.candidate)));
  try {
    const takers = [started.browser, ...others].flatMap((browser) => Array(atATime).fill(browser) as Browser[]);
    await Promise.all(takers.map((browser) => takeTurns(browser, api.url, turns)));
  } finally {
    await Promise.all(others.map((browser) => browser.close()));
  }
  expect(await api.db.products.find()).toEqual(products);
  expect(await (await fetch(`${api.url}/__sandboxes`)).json()).toEqual({ sandboxes: [] });
  expect(new Set(api.requests().map(({ sandbox }) => sandbox)).size).toBeGreaterThan(1);
}

/** Each browser takes the next turn that is left. */
async function takeTurns(browser: Browser, url: string, turns: Turn[]): Promise<void> {
  for (let turn = turns.shift(); turn; turn = turns.shift()) {
    const { scenario, name, way } = turn;
    const context = await browser.newContext();
    context.setDefaultTimeout(limit(30_000));
    if (way === "header") await context.setExtraHTTPHeaders({ "X-Standin-Sandbox": name });
    if (way === "cookie") await context.addCookies([{ name: "standin-sandbox", value: name, url }]);
    const page = await context.newPage();
    await page.goto(way === "path" ? `${url}/__sandbox/${name}/shop.html` : `${url}/shop.html`);
    await scenario(page, name);
    await context.close();
    const gone = await fetch(`${url}/__sandboxes/${name}`, { method: "DELETE" });
    expect(gone.status).toBe(200);
  }
}
