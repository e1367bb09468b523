/**
 * How soon the console appears: `npx tsx bench/console-paint.ts [rounds]`, on a build. Opens each view in a browser without
 * a cache, and prints when the first and the main content was painted.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { startChromium } from "../test/support/chromium.ts";
import { serveFolder } from "./serve-folder.ts";
import { median } from "./statistics.ts";
import { renderTable, verdict } from "./table.ts";

const ROUNDS = Number(process.argv[2] ?? 7);
const BUDGET_MS = 1_000;

/** The page that is opened, and the part of it that people wait for. */
const PAGES = [
  { name: "overview", path: "/__console#/", content: "main h1" },
  { name: "data, 100,000 records", path: "/__console#/data/things", content: "tbody a" },
  { name: "API docs", path: "/__console#/docs", content: ".docs-index a" },
  { name: "API docs, one operation", path: "/__console#/docs/listThing", content: ".docs-operation h2" },
];

interface Painted {
  readonly firstMs: number;
  readonly contentMs: number;
  readonly kilobytes: number;
}

const started = await startChromium();
if (started.kind === "none") throw new Error(started.reason);
const folder = mkdtempSync(join(tmpdir(), "standin-paint-"));
const things = Array.from({ length: 100_000 }, (_, index) => ({
  id: index + 1,
  name: `Thing ${index}`,
  price: index % 997,
}));
writeFileSync(join(folder, "db.json"), JSON.stringify({ things, notes: [{ id: 1, text: "a" }] }));
const server = await serveFolder(folder);
try {
  const { url } = server;
  // The server describes its data on the first request for them, the browser starts its processes with the first page.
  await Promise.all([fetch(`${url}/__openapi.json`), fetch(`${url}/__overview`)]);
  await paint(started.browser, url, PAGES[0]!);
  const lines: string[][] = [];
  for (const page of PAGES) {
    const rounds: Painted[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await paint(started.browser, url, page));
    const contentMs = median(rounds.map((one) => one.contentMs));
    const budget: [string, boolean][] = [[`< ${BUDGET_MS} ms`, contentMs < BUDGET_MS]];
    lines.push([
      page.name,
      `${Math.round(median(rounds.map((one) => one.firstMs)))} ms`,
      `${Math.round(contentMs)} ms`,
      `${Math.round(rounds[0]?.kilobytes ?? 0)} kB`,
      verdict(budget),
    ]);
  }
  console.log(`${cpus().length} cores (${cpus()[0]?.model}); ${ROUNDS} rounds, without a cache, medians\n`);
  console.log(renderTable(["opened", "first paint", "content painted", "transferred", "budget"], lines));
} finally {
  server.stop();
  await started.browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function paint(browser: Browser, url: string, opened: (typeof PAGES)[number]): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  // Noted by the page itself in the frame that shows it: polling from outside would add its own delay.
  await page.addInitScript(`window.contentMs = new Promise((done) => {
    const look = () => {
      if (!document.querySelector(${JSON.stringify(opened.content)})) return requestAnimationFrame(look);
      requestAnimationFrame(() => done(performance.now()));
    };
    look();
  })`);
  await page.goto(`${url}${opened.path}`);
  const measured = await page.evaluate<Painted>(`contentMs.then((contentMs) => ({
    firstMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? contentMs,
    contentMs,
    kilobytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .reduce((sum, entry) => sum + entry.transferSize, 0) / 1000,
  }))`);
  await context.close();
  return measured;
}
