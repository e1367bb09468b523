/**
 * Makes the pictures of the console: `npm run pictures [folder [part of a name]]`. With a folder, every view at three sizes
 * and in both themes; without one, those that the pages show.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../../test/support/chromium.ts";
import { writeShop } from "./picture-shop.ts";
import { keepShopBusy } from "./picture-traffic.ts";
import { VIEWS, type View, type ViewName } from "./picture-views.ts";

const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1280, height: 800 },
  page: { width: 1440, height: 900 },
};
/** The sizes that every view is taken at. */
const ALL_SIZES = ["phone", "tablet", "desktop"] as const;
const THEMES = ["light", "dark"] as const;
type Size = keyof typeof SIZES;
type Theme = (typeof THEMES)[number];

/** The pictures in the pages, by their names in docs/pictures. */
const SHOWN: Readonly<Record<string, ViewName>> = {
  console: "data",
  overview: "overview",
  groups: "groups",
  traffic: "traffic",
  "test-lab": "lab",
  history: "history",
  past: "past",
  "api-docs": "operation",
};
/** Shown in the theme of the reader. */
const HERO = "console";
/** Sharper than the others: people look at them closely. */
const SHOWN_SCALE = 1.25;

/** Most machines have a font like this; those without a desktop fall back to one that no reader has. */
const FONT = '"Inter", "Segoe UI", "Helvetica Neue", "Liberation Sans", sans-serif';

const [folder, part = ""] = process.argv.slice(2);
const started = await startChromium();
if (started.kind === "none") throw new Error(started.reason);
const place = mkdtempSync(join(tmpdir(), "standin-pictures-"));
const server = await serve(join(place, "shop"), writeShop);
const emptyServer = await serve(join(place, "empty"), (at) => writeFileSync(join(at, "db.json"), "{}"));
try {
  const visitors = await keepShopBusy(server.url);
  if (folder) await allPictures(started.browser, folder);
  else await shownPictures(started.browser);
  await visitors.stop();
} finally {
  await started.browser.close();
  server.stop();
  emptyServer.stop();
  rmSync(place, { recursive: true, force: true });
}

async function allPictures(browser: Browser, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const theme of THEMES) {
    for (const size of ALL_SIZES) {
      const names = (Object.keys(VIEWS) as ViewName[]).map((view) => [view, `${view}-${size}-${theme}`] as const);
      const wanted = names.filter(([, name]) => name.includes(part));
      if (wanted.length === 0) continue;
      const page = await openPage(browser, size, theme);
      for (const [view, name] of wanted) await picture(page, VIEWS[view], join(to, `${name}.png`));
      await page.context().close();
    }
  }
}

async function shownPictures(browser: Browser): Promise<void> {
  for (const theme of THEMES) {
    const page = await openPage(browser, "page", theme, SHOWN_SCALE);
    for (const [name, view] of Object.entries(SHOWN)) {
      if (theme === "dark" && name !== HERO) continue;
      await picture(page, VIEWS[view], `docs/pictures/${name}${theme === "dark" ? "-dark" : ""}.png`);
    }
    await page.context().close();
  }
}

async function openPage(browser: Browser, size: Size, theme: Theme, deviceScaleFactor = 1): Promise<Page> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    deviceScaleFactor,
    colorScheme: theme,
    reducedMotion: "reduce",
    bypassCSP: true,
  });
  context.setDefaultTimeout(15_000);
  return context.newPage();
}

async function picture(page: Page, { at, sandbox, isEmpty = false, show }: View, path: string): Promise<void> {
  const { url } = isEmpty ? emptyServer : server;
  // A change of the hash alone would keep what the view before has opened.
  await page.goto("about:blank");
  await page.mouse.move(0, 0);
  await page.goto(`${url}${sandbox === undefined ? "" : `/__sandbox/${sandbox}`}/__console${at}`);
  await page.addStyleTag({ content: `:root { --sans: ${FONT} !important }` });
  try {
    await show(page);
  } catch (thrown) {
    console.error(`${path}: ${thrown instanceof Error ? thrown.message.split("\n")[0] : thrown}`);
  }
  await page.waitForTimeout(400);
  await page.screenshot({ path });
}

async function serve(cwd: string, write: (folder: string) => void): Promise<{ url: string; stop: () => void }> {
  mkdirSync(cwd);
  write(cwd);
  const child = spawn(process.execPath, [resolve("dist/cli.js"), "--port", "0"], { cwd });
  const url = await new Promise<string>((found, failed) => {
    let printed = "";
    const read = (piece: unknown): void => {
      printed += piece;
      const address = /serving at (\S+)/.exec(printed)?.[1];
      if (address) found(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", () => failed(new Error(`The server ended early: ${printed}`)));
  });
  return { url, stop: () => child.kill() };
}
