/**
 * How smoothly the console scrolls: `npx tsx bench/console-scroll.ts [records]`, on a build. Turns the wheel through a list
 * with a column of every kind in a real Chromium, and prints how long the frames took, how many rows the page held, and how
 * often records were missing. Then opens the figures of a column of different numbers, and prints how long they took, and
 * how long other requests had to wait meanwhile.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChromium } from "../test/support/chromium.ts";
import { serveFolder } from "./serve-folder.ts";

const count = Number(process.argv[2] ?? 1_000_000);
const TURNS = 240;
const PEOPLE = 5_000;

const started = await startChromium();
if (started.kind === "none") throw new Error(started.reason);
const folder = mkdtempSync(join(tmpdir(), "standin-scroll-"));
const records = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  name: `Thing ${index}`,
  price: (index % 997) / 4,
  weight: index * 1.5,
  is_sold: index % 3 === 0,
  state: ["new", "paid", "sent", "returned"][index % 4],
  tint: `#${(index % 4096).toString(16).padStart(3, "0")}`,
  changed_at: new Date(1_700_000_000_000 + index * 60_000).toISOString(),
  person_id: (index % PEOPLE) + 1,
}));
const people = Array.from({ length: PEOPLE }, (_, index) => ({ id: index + 1, name: `Person ${index + 1}` }));
writeFileSync(join(folder, "db.json"), JSON.stringify({ things: records, people }));
const server = await serveFolder(folder);
try {
  const { url } = server;
  const page = await started.browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}/__console#/data/things`);
  await page.getByText("Thing 0", { exact: true }).waitFor();
  await page.evaluate(`
    window.frames_ = []; window.waiting_ = 0; window.rows_ = 0;
    let last = performance.now();
    (function frame(now) {
      frames_.push(now - last); last = now;
      rows_ = Math.max(rows_, document.querySelectorAll("tbody tr").length);
      if (document.querySelector("tr.waiting")) waiting_++;
      requestAnimationFrame(frame);
    })(last);
  `);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  let workedMs = await workSoFar();
  await page.mouse.move(700, 500);
  for (let turn = 0; turn < TURNS; turn++) await page.mouse.wheel(0, 120);
  const wheel = await measured();
  for (const share of [0.9, 0.1, 0.5, 1, 0]) {
    await page.evaluate(
      `(() => { const list = document.querySelector(".scroller"); list.scrollTop = list.scrollHeight * ${share}; })()`,
    );
    await page.locator("tr.waiting").first().waitFor({ state: "detached" });
  }
  const jumps = await measured();
  console.log(`${count.toLocaleString("en-US")} records`);
  console.log(`wheel, ${TURNS} turns: ${wheel}`);
  console.log(`5 jumps across the whole list: ${jumps}`);
  const menu = page.getByRole("button", { name: "Column weight" });
  if ((await menu.count()) > 0) console.log(`figures of a column: ${await figures()}`);

  /** Opens the menu of a column, and asks for a record again and again until its figures are there. */
  async function figures(): Promise<string> {
    const startedAt = performance.now();
    await menu.click();
    const busyMs = await slowestDuring(page.locator(".histogram button").first().waitFor());
    const tookMs = performance.now() - startedAt;
    const idleMs = await slowestDuring(new Promise((done) => setTimeout(done, tookMs)));
    const [took, busy, idle] = [tookMs, busyMs, idleMs].map((ms) => `${ms.toFixed(0)} ms`);
    return `${took}; the slowest other request took ${busy}, and ${idle} in the same time without them`;
  }

  async function slowestDuring(work: Promise<unknown>): Promise<number> {
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    let slowestMs = 0;
    while (!isOver) {
      const askedAt = performance.now();
      await (await fetch(`${url}/things/1`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    }
    return slowestMs;
  }

  /** The CPU time of the page's main thread. */
  async function workSoFar(): Promise<number> {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  }

  async function measured(): Promise<string> {
    const before = workedMs;
    workedMs = await workSoFar();
    const script = "(() => { const found = [frames_.splice(0), rows_, waiting_]; waiting_ = 0; return found; })()";
    const [frames, rows, waiting] = (await page.evaluate(script)) as [number[], number, number];
    const sorted = frames.sort((a, b) => a - b);
    const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
    const work = ((workedMs - before) / Math.max(1, sorted.length)).toFixed(1);
    return `frames ${sorted.length}, ${work} ms of work each, median ${at(0.5)}, 95 % ${at(0.95)}, 99 % ${at(0.99)}; at most ${rows} rows; placeholders in ${waiting} frames`;
  }
} finally {
  server.stop();
  await started.browser.close();
  rmSync(folder, { recursive: true, force: true });
}
