import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { sharedChromium } from "../support/chromium.ts";
import { limit } from "../support/limits.ts";
import type { Transport } from "../support/request-corpus.ts";
import { IS_SOAK } from "../support/soak.ts";

const started = await sharedChromium();
if (started.kind === "none") console.warn(`The worker is not tested in a browser: ${started.reason}.`);

/** A test in a real browser; skipped, and said so, where none starts. */
export function inChromium(name: string, body: () => Promise<void>): void {
  if (started.kind === "browser") test(name, body, limit(60_000));
  else test.skip(`${name} (${started.reason})`, () => {});
}

/** A test that `npm run soak` alone runs in a browser: a sister of one that `npm test` runs. */
export function inChromiumAtLength(name: string, body: () => Promise<void>): void {
  if (IS_SOAK) inChromium(name, body);
}

export interface WorkerSite {
  readonly url: string;
  readonly profile: BrowserContext;
  /** The text of each file that it serves; may be changed. */
  readonly files: Map<string, string>;
  /** Headers of the responses to some paths. */
  readonly headers: Map<string, Readonly<Record<string, string>>>;
  /** Paths that reached the server. */
  readonly asked: string[];
  /** Opens a tab, and waits until a worker controls it. */
  open(path?: string): Promise<Page>;
}

/**
 * A static site with a service worker that calls `serve` with these options, in a profile of its own.
 * `scope` is the folder of the worker and its page.
 */
export async function openSite(options: string, scope = "/"): Promise<WorkerSite> {
  if (started.kind === "none") throw new Error(started.reason);
  const files = new Map([
    ["/standin.js", readFileSync(join(builtPackage(), "dist/web/worker.js"), "utf8")],
    [`${scope}sw.js`, workerText(options)],
    [scope, PAGE],
  ]);
  const headers: WorkerSite["headers"] = new Map();
  const asked: string[] = [];
  const server = createServer(({ url = "/" }, response) => {
    asked.push(url);
    const text = files.get(url);
    const type = /\.js$/.test(url) ? "text/javascript" : "text/html";
    const status = text === undefined ? 404 : 200;
    response.writeHead(status, { "Content-Type": type, ...headers.get(url) }).end(text ?? "not here");
  }).listen(0, "localhost");
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const profile = await started.browser.newContext();
  profile.setDefaultTimeout(limit(30_000));
  onTestFinished(async () => {
    await profile.close();
    server.closeAllConnections();
    server.close();
  });
  const open = async (path = scope): Promise<Page> => {
    const page = await profile.newPage();
    await page.goto(url + path);
    await page.evaluate("ready");
    return page;
  };
  return { url, profile, files, headers, asked, open };
}

export function workerText(options: string): string {
  return `import { serve } from "/standin.js";\nserve(${options});\n`;
}

export const PAGE = `<!doctype html><title>Shop</title><script type="module">
  const { serviceWorker } = navigator;
  const controlled = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve));
  globalThis.ready = serviceWorker.register("sw.js", { type: "module" }).then(() => serviceWorker.controller || controlled).then(() => true);
</script>`;

/** Sends requests from a page, as its scripts do. Headers that pages may not set are left out. */
export function byPage(page: Page, base = ""): Transport {
  return async (line, headers, body) => {
    const [method, path] = line.split(" ");
    const sent = JSON.stringify([base + path, { method, headers, ...(body !== undefined && { body }) }]);
    const { status, pairs, text } = (await page.evaluate(
      `fetch(...${sent}).then(async (response) => ({ status: response.status, pairs: [...response.headers], text: await response.text() }))`,
    )) as { status: number; pairs: [string, string][]; text: string };
    return { status, headers: new Headers(pairs), body: text };
  };
}

/** Ends all workers without waiting for anything. */
export async function killWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await devtools.detach();
}

/** Ends the worker as a browser does after half a minute without requests: nothing in its memory is left. */
export async function stopWorker(page: Page): Promise<void> {
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

/** Resolves when the stored values of features of the data "shop" are as expected. */
export async function untilKept(page: Page, isStored: (values: string) => boolean): Promise<void> {
  const values = (): Promise<string> =>
    page.evaluate(
      `new Promise((resolve) => {
        const opening = indexedDB.open("standin:shop");
        opening.onsuccess = () => {
          const asking = opening.result.transaction("kept").objectStore("kept").getAll();
          asking.onsuccess = () => resolve(JSON.stringify(asking.result));
          opening.result.close();
        };
      })`,
    );
  await expect.poll(async () => isStored(await values()), { timeout: limit(20_000) }).toBe(true);
}
