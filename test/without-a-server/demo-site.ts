import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { limit } from "../support/limits.ts";
import { serveStatic } from "../support/static-server.ts";

const PAGE = `<!doctype html><title>Shop</title><script type="module">
  import * as standin from "./standin.js";
  globalThis.standin = standin;
  globalThis.started = standin.start();
</script>`;

export interface DemoSite {
  /** The address of the page, with a slash at the end. */
  readonly url: string;
  readonly folder: string;
  readonly page: Page;
  /** Paths that reached the server. */
  readonly asked: readonly string[];
  /** Runs `standin browser` again, with the same arguments and other data. */
  write(data: unknown, ...more: readonly string[]): Promise<string>;
}

/** A page below `/repo/` of a plain static file server, with the files of `standin browser`, in a profile of its own. */
export async function openDemo(data: unknown, args: readonly string[] = []): Promise<DemoSite> {
  const started = await sharedChromium();
  if (started.kind === "none") throw new Error(started.reason);
  const folder = createFolder({ "public/index.html": PAGE });
  const write = async (data: unknown, ...more: readonly string[]): Promise<string> => {
    const source = join(createFolder({ "db.json": data }), "db.json");
    return standin(["browser", source, ...args, ...more], folder);
  };
  await write(data);
  const asked: string[] = [];
  const { url, close } = await serveStatic(join(folder, "public"), "/repo", (req, res) => {
    asked.push(req.url ?? "");
    if (!req.url?.startsWith("/repo/standin-data.json")) return false;
    // No cache may hide that it is loaded again.
    res.writeHead(200, { "Cache-Control": "no-store" }).end(readFileSync(join(folder, "public/standin-data.json")));
    return true;
  });
  const profile = await started.browser.newContext();
  profile.setDefaultTimeout(limit(30_000));
  onTestFinished(async () => {
    await profile.close();
    close();
  });
  const page = await profile.newPage();
  await page.goto(`${url}/`);
  return { url: `${url}/`, folder, page, asked, write };
}

/** Runs the command, which must succeed; returns what it printed. */
export async function standin(args: readonly string[], folder: string): Promise<string> {
  const run = runKept(args, folder);
  expect(await run.exit, run.output.stderr).toBe(0);
  return run.output.stdout;
}

/** The JSON that a page gets from an address; the status where it is not a success. */
export function fetchIn(page: Page, path: string, init: object = {}): Promise<unknown> {
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then((response) => response.ok ? response.json() : response.status)`,
  );
}
