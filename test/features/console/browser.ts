import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContextOptions, ConsoleMessage, Page, Request, ViewportSize, WebError } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { sharedChromium } from "../../support/chromium.ts";
import { limit } from "../../support/limits.ts";
import { demoProfile, IS_DEMO, isSender } from "./demo.ts";

const started = await sharedChromium();
if (started.kind === "none") console.warn(`The console is not tested in a browser: ${started.reason}.`);

const require = createRequire(import.meta.url);
/** Read, not imported: it runs in pages alone. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

export interface OpenOptions {
  /** Where in the console; the address behind `#`. */
  readonly at?: string;
  /** Statuses of answers that the test provokes; a browser complains about each. */
  readonly provokes?: readonly number[];
  /** The test ends the server; a browser complains about each request after that. */
  readonly losesServer?: boolean;
  readonly viewport?: ViewportSize;
  readonly colorScheme?: "light" | "dark";
  /** Whether things slide and fade, or are there at once. */
  readonly hasMotion?: boolean;
  /** A profile for this test alone: for what a tab cannot change, or not change back. */
  readonly profile?: BrowserContextOptions;
}

/** A test in a real browser; skipped, and said so, where none starts. */
export function inBrowser(name: string, body: () => Promise<void>): void {
  if (started.kind === "browser") test(name, body);
  else test.skip(`${name} (${started.reason})`, () => {});
}

/** A test of what a static page cannot have: a server that ends, options of it, documents and examples. */
export function inBrowserWithServer(name: string, body: () => Promise<void>): void {
  if (IS_DEMO) test.skip(`${name} (there is no server)`, () => {});
  else inBrowser(name, body);
}

/** A test that `npm run soak` alone runs in a browser: a sister of one that `npm test` runs. */
export function inBrowserAtLength(name: string, body: () => Promise<void>): void {
  if (process.env.STANDIN_SOAK && !IS_DEMO) inBrowser(name, body);
}

/** The same for a test that passes on a static page, too: the soak runs it there as well. */
export function inBrowserInSoak(name: string, body: () => Promise<void>): void {
  if (process.env.STANDIN_SOAK || IS_DEMO) inBrowser(name, body);
}

/** Opens the console of a server. */
export function openConsole(url: string, { at = "/", ...options }: OpenOptions = {}): Promise<Page> {
  return openPage(url, `/__console#${at}`, options);
}

/**
 * Opens a page of a server. When the test ends, nothing may have gone wrong: no error in the page's console, and no request
 * to anywhere but that server.
 */
export async function openPage(
  url: string,
  path: string,
  {
    provokes = [],
    losesServer = false,
    viewport = DESKTOP,
    colorScheme = "light",
    hasMotion = false,
    profile: own,
  }: Omit<OpenOptions, "at"> = {},
): Promise<Page> {
  const page = (own ? undefined : free.pop()) ?? (await openTab(own));
  const profile = page.context();
  const wrong: string[] = [];
  const onRequest = (request: Request): void => {
    // The files of a static page lie beside the API.
    if (!request.url().startsWith(`${IS_DEMO ? new URL(url).origin : url}/`)) wrong.push(`asked ${request.url()}`);
  };
  const onError = (error: WebError): void => {
    wrong.push(String(error.error()));
  };
  const onMessage = (message: ConsoleMessage): void => {
    const isProvoked =
      isOfBlankPage(message) ||
      isSender(message.page()) ||
      provokes.some((status) => message.text().includes(`status of ${status} `)) ||
      (losesServer && message.text().includes("net::ERR_"));
    if (message.type() === "error" && !isProvoked) wrong.push(`${message.text()} ${message.location().url}`.trim());
  };
  profile.on("request", onRequest).on("weberror", onError).on("console", onMessage);
  onTestFinished(async ({ task }) => {
    const isReusable = !own && task.result?.state !== "fail" && (await leave(page));
    profile.off("request", onRequest).off("weberror", onError).off("console", onMessage);
    if (isReusable) free.push(page);
    else await (IS_DEMO ? page : profile).close();
    expect(wrong).toEqual([]);
  });
  await resize(page, viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: hasMotion ? "no-preference" : "reduce" });
  await page.goto(addressOf(url, path));
  return page;
}

/** The address of a page of the console; on static hosting, the sandbox is in the query. */
export function addressOf(url: string, path: string): string {
  if (!IS_DEMO) return `${url}${path}`;
  const inFolder = path.replace(/\/__console/, "/__console/");
  return `${url}${inFolder.replace(/^\/__sandbox\/([^/]+)(\/__console\/)/, "$2?sandbox=$1")}`;
}

/**
 * Whether a message is about the blank page between two tests. Such a page may ask for the icon of the page before it and is
 * refused; the message may arrive when the next test has begun.
 */
function isOfBlankPage(message: ConsoleMessage): boolean {
  const { url } = message.location();
  return url === "about:blank" || (url.endsWith("/icon.svg") && message.text().endsWith("net::ERR_FAILED"));
}

/** Tabs that tests have left: a new window costs a browser as much as many a test. */
const free: Page[] = [];

async function openTab(options: BrowserContextOptions | undefined): Promise<Page> {
  if (started.kind === "none") throw new Error(started.reason);
  if (IS_DEMO) return (await demoProfile()).newPage();
  const profile = await started.browser.newContext(options);
  profile.setDefaultTimeout(limit(30_000));
  return profile.newPage();
}

/** Sets the size of a page. Its window fills the screen: one with tabs and an address bar draws these with every load. */
export async function resize(page: Page, viewport: ViewportSize): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  if (width === viewport.width && height === viewport.height) return;
  const devtools = await page.context().newCDPSession(page);
  const { windowId } = await devtools.send("Browser.getWindowForTarget");
  const show = (windowState: "normal" | "fullscreen") =>
    devtools.send("Browser.setWindowBounds", { windowId, bounds: { windowState } });
  // Some browsers do not resize what fills the screen.
  await show("normal");
  await page.setViewportSize(viewport);
  await show("fullscreen");
  await devtools.detach();
}

/** Removes all that a test left in a tab; says whether that is all. */
async function leave(page: Page): Promise<boolean> {
  const profile = page.context();
  try {
    for (const other of profile.pages()) if (other !== page && !isSender(other)) await other.close();
    await page.evaluate("localStorage.clear(), sessionStorage.clear()");
    await page.goto("about:blank");
    await profile.clearCookies();
    return true;
  } catch {
    return false;
  }
}

/**
 * The problems that axe finds in the middle of a test. It takes as long as many steps, so `npm test` leaves it out: there,
 * one test checks every view.
 */
export async function problemsOnTheWay(page: Page): Promise<string[]> {
  return process.env.STANDIN_SOAK ? accessibilityProblems(page) : [];
}

/** The problems that axe finds on the current page, by all of its rules or by some. */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Animations must end before the check; those of elements that go away are cancelled.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})");
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html + ' ' + node.failureSummary)].join('\\n  ')))`,
  )) as string[];
  return found;
}
