import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { startChromium } from "../test/support/chromium.ts";
import type { DataFiles } from "./data.ts";
import type { Plan } from "./plan.ts";
import { STANDIN } from "./servers.ts";
import { median } from "./statistics.ts";

const DATA = { products: 10_000, companies: 100 };
const BUDGET_MS = 100;
/** Rounds, for each of the plan's. */
const WAKES = 7;

/** The browser's own part: a worker that does nothing else. */
const ONLY_RESPONDS = `addEventListener("fetch", (event) => event.respondWith(new Response("[]")));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));\n`;
const PAGE = `<!doctype html><title>Wake-up</title><script type="module">
  import { start } from "./standin.js";
  globalThis.ready = start().then(() => true);
</script>`;

/** Milliseconds from a request of a page to its response, with the worker asleep before. */
export interface WakeUp {
  readonly worker: string;
  readonly milliseconds: number;
  readonly limit?: number;
}

/** How long a worker of `standin browser` takes to respond after its sleep, in a real browser; a reason where there is none. */
export async function measureWakeUps(files: DataFiles, folder: string, { rounds }: Plan): Promise<WakeUp[] | string> {
  const started = await startChromium();
  if (started.kind === "none") return started.reason;
  const measure = async (site: string): Promise<number> => {
    const server = await serveFiles(site);
    const profile = await started.browser.newContext();
    try {
      return median(await wakes(profile, server.url, rounds * WAKES));
    } finally {
      await profile.close();
      server.close();
    }
  };
  try {
    const empty = join(folder, "no-records.json");
    mkdirSync(folder, { recursive: true });
    writeFileSync(empty, '{ "products": [] }');
    const idle = writeSite(join(folder, "idle"), empty);
    writeFileSync(join(idle, "standin-worker.js"), ONLY_RESPONDS);
    const full = writeSite(join(folder, "full"), files.generated(DATA));
    return [
      { worker: "that only responds", milliseconds: await measure(idle) },
      { worker: "without records", milliseconds: await measure(writeSite(join(folder, "empty"), empty)) },
      { worker: "with 10,000 records", milliseconds: await measure(full), limit: BUDGET_MS },
    ];
  } finally {
    await started.browser.close();
  }
}

function writeSite(folder: string, data: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [STANDIN, "browser", data, "--out", folder, "--quiet"]);
  writeFileSync(join(folder, "index.html"), PAGE);
  return folder;
}

async function wakes(profile: BrowserContext, url: string, rounds: number): Promise<number[]> {
  const page = await profile.newPage();
  await page.goto(url);
  await page.evaluate("ready");
  const ask = `(async (from) => {
    const response = await fetch("api/products?_limit=1");
    await response.text();
    return response.ok ? performance.now() - from : Number.NaN;
  })(performance.now())`;
  await page.evaluate(ask);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await stopWorkers(page);
    times.push(await page.evaluate<number>(ask));
  }
  return times;
}

/** Ends the worker as a browser does after half a minute without requests. */
async function stopWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const stopped = new Promise<void>((resolve) => {
    devtools.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      if (versions.length > 0 && versions.every(({ runningStatus }) => runningStatus === "stopped")) resolve();
    });
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await stopped;
  await devtools.detach();
}

const TYPES: readonly [RegExp, string][] = [
  [/\.js$/, "text/javascript"],
  [/\.json$/, "application/json"],
  [/./, "text/html"],
];

async function serveFiles(folder: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(({ url = "/" }, response) => {
    const name = url === "/" ? "index.html" : (url.slice(1).split("?")[0] ?? "");
    const type = TYPES.find(([ending]) => ending.test(name))?.[1] ?? "";
    try {
      response.writeHead(200, { "Content-Type": type }).end(readFileSync(join(folder, name)));
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}/`, close };
}
