import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { BrowserContext, Page } from "playwright-core";
import { sharedChromium } from "../../support/chromium.ts";
import type { Served } from "../../support/cli.ts";
import { runKept } from "../../support/kept-process.ts";
import { limit } from "../../support/limits.ts";
import { serveStatic } from "../../support/static-server.ts";

/**
 * The console's tests run on a static page as well, in the soak: with STANDIN_CONSOLE_DEMO, a "server" is a plain static
 * file server with the files of `standin browser`. The test's own requests are sent by a page of the same profile.
 */
export const IS_DEMO: boolean = process.env.STANDIN_CONSOLE_DEMO !== undefined;

const PATH = "/repo";
const SENDER =
  '<!doctype html><script type="module">globalThis.started = import("./standin.js").then((one) => one.start());</script>';
/** Options that a page cannot have, and does not need. */
const WITHOUT_USE = new Set(["--memory"]);
const WITH_VALUE_WITHOUT_USE = new Set(["--snapshots", "--rules"]);

let profile: Promise<BrowserContext> | undefined;
const senders = new Map<string, Promise<Page>>();

/** All tabs share one profile: with it the workers, and the data in them. */
export function demoProfile(): Promise<BrowserContext> {
  profile ??= openProfile();
  return profile;
}

async function openProfile(): Promise<BrowserContext> {
  const started = await sharedChromium();
  if (started.kind === "none") throw new Error(started.reason);
  const opened = await started.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  opened.setDefaultTimeout(limit(30_000));
  return opened;
}

/** Whether a page sends the requests of tests, instead of being tested. */
export function isSender(page: Page | null): boolean {
  return page?.url().endsWith(`${PATH}/sender.html`) ?? false;
}

/** Writes a demo of the data that the arguments name, and serves it. */
export async function serveDemo(args: readonly string[], folder: string): Promise<Served> {
  const usable = args.filter(
    (arg, at) =>
      !WITHOUT_USE.has(arg) && !WITH_VALUE_WITHOUT_USE.has(arg) && !WITH_VALUE_WITHOUT_USE.has(args[at - 1] ?? ""),
  );
  const run = runKept(["browser", ...usable, "--console"], folder);
  if ((await run.exit) !== 0) throw new Error(run.output.stderr);
  writeFileSync(join(folder, "public/sender.html"), SENDER);
  const { url, close } = await serveStatic(join(folder, "public"), PATH, (req, res) => {
    if (/Mozilla/.test(req.headers["user-agent"] ?? "")) return false;
    void sendByPage(url, req, res);
    return true;
  });
  const stop = async (): Promise<number> => {
    await (await senders.get(url))?.close();
    senders.delete(url);
    close();
    return 0;
  };
  return { ...run, url: `${url}/api`, stop };
}

async function sendByPage(site: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const page = await senderOf(site);
  const body = await text(req);
  const { host: _, connection: __, "content-length": ___, ...headers } = req.headers;
  const init = { method: req.method, headers, ...(body !== "" && { body }) };
  const sent = (await page.evaluate(
    `fetch(${JSON.stringify(req.url)}, ${JSON.stringify(init)}).then(async (response) => ({ status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }))`,
  )) as { status: number; headers: Record<string, string>; text: string };
  res.writeHead(sent.status, sent.headers).end(sent.text);
}

async function senderOf(site: string): Promise<Page> {
  const known = await senders.get(site);
  if (known && !known.isClosed()) return known;
  const opening = demoProfile().then(async (opened) => {
    const page = await opened.newPage();
    await page.goto(`${site}/sender.html`);
    await page.evaluate("started");
    return page;
  });
  senders.set(site, opening);
  return opening;
}
