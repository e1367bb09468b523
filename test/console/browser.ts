import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { limit } from "../support/limits.ts";

/** One for all files of a worker: it ends with that. */
const started = await startChromium();
if (started.kind === "none") console.warn(`The console is not tested in a browser: ${started.reason}.`);

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

export interface OpenOptions extends BrowserContextOptions {
  /** Where in the console; the address behind `#`. */
  readonly at?: string;
  /** Statuses of answers that the test provokes; a browser complains about each. */
  readonly provokes?: readonly number[];
  /** The test ends the server; a browser complains about each request after that. */
  readonly losesServer?: boolean;
}

/** A test in a real browser; skipped, and said so, where none starts. */
export function inBrowser(name: string, body: () => Promise<void>): void {
  if (started.kind === "browser") test(name, body);
  else test.skip(`${name} (${started.reason})`, () => {});
}

/** Opens the console of a server. */
export function openConsole(url: string, { at = "/", ...options }: OpenOptions = {}): Promise<Page> {
  return openPage(url, `/__console#${at}`, options);
}

/**
 * Opens a page of a server in a profile of its own. When the test ends, nothing may have gone wrong: no error in the
 * page's console, and no request to anywhere but that server.
 */
export async function openPage(
  url: string,
  path: string,
  { provokes = [], losesServer = false, ...context }: Omit<OpenOptions, "at"> = {},
): Promise<Page> {
  if (started.kind === "none") throw new Error(started.reason);
  const profile = await started.browser.newContext({ viewport: DESKTOP, colorScheme: "light", ...context });
  profile.setDefaultTimeout(limit(30_000));
  const wrong: string[] = [];
  profile.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`)) wrong.push(`asked ${request.url()}`);
  });
  profile.on("weberror", (error) => wrong.push(String(error.error())));
  profile.on("console", (message) => {
    const isProvoked =
      provokes.some((status) => message.text().includes(`status of ${status} `)) ||
      (losesServer && message.text().includes("net::ERR_"));
    if (message.type() === "error" && !isProvoked) wrong.push(message.text());
  });
  onTestFinished(async () => {
    await profile.close();
    expect(wrong).toEqual([]);
  });
  const page = await profile.newPage();
  await page.goto(`${url}${path}`);
  return page;
}

/** What axe finds wrong with the page as it stands. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // What slides or fades in is judged when it has arrived.
  await page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished)).then(() => {})");
  await page.evaluate(`if (!("axe" in window)) { ${axe.source} }`);
  const found = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html + ' ' + node.failureSummary)].join('\\n  ')))",
  )) as string[];
  return found;
}
