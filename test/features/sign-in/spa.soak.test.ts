import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { sharedChromium } from "../../support/chromium.ts";
import { limit } from "../../support/limits.ts";
import { serveStatic } from "../../support/static-server.ts";
import { accessibilityProblems, inBrowserWithServer, PHONE } from "../console/browser.ts";

const EXAMPLE = "examples/sign-in-spa";
const LIBRARY = readFileSync("node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js");

/** The library that the example's build copies into the page. */
function sendLibrary(req: IncomingMessage, res: ServerResponse): boolean {
  if (!req.url?.startsWith("/oidc-client-ts.min.js")) return false;
  res.setHeader("Content-Type", "text/javascript");
  res.end(LIBRARY);
  return true;
}

const readJson = (file: string) => JSON.parse(readFileSync(`${EXAMPLE}/${file}`, "utf8"));

inBrowserWithServer(
  "the app of the example signs in as two users, each with their own orders, and renews",
  async () => {
    const app = await serveStatic(`${EXAMPLE}/page`, "", sendLibrary);
    const home = `http://localhost:${new URL(app.url).port}`;
    const { middlewares, layers, access } = readJson("standin.json");
    layers["sign-in"].clients[0].redirectUris = [`${home}/*`];
    await using api = await createStandin({ data: readJson("db.json"), middlewares, layers, access });
    const started = await sharedChromium();
    if (started.kind === "none") throw new Error(started.reason);
    const context = await started.browser.newContext({ viewport: PHONE });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(limit(30_000));
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`${home}/?api=${encodeURIComponent(api.url)}`);

    for (const [name, items] of [
      ["ann", ["Hat", "Gloves"]],
      ["bob", ["Scarf"]],
    ] as const) {
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Who are you?" }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.getByRole("searchbox").fill(name);
      expect(await page.locator("li:visible").count()).toBe(1);
      await page.getByRole("button", { name: `${name}@shop.test` }).click();
      await page.getByText(`You are ${name}@shop.test.`).waitFor();
      await page
        .locator("li")
        .nth(items.length - 1)
        .waitFor();
      expect(await page.locator("li").allTextContents()).toEqual(items);
      await page.getByRole("button", { name: "Renew" }).click();
      await page.getByText("renewed").waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("You are not signed in.").waitFor();
    }
    expect(problems).toEqual([]);
  },
);
