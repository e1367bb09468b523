import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findChromium } from "./chromium.ts";
import { freePort } from "./free-port.ts";
import { limit } from "./limits.ts";

const RUNNERS: Readonly<Record<string, string>> = {
  vitest: "vitest/vitest.mjs",
  jest: "jest/bin/jest.js",
  playwright: "@playwright/test/cli.js",
};

/** `npx vitest run`, `npx jest`, `npx playwright test` in the folder of a page. Fails when a test of the page fails. */
export async function runTests(
  folder: string,
  [name = "", ...args]: string[],
  env: Record<string, string>,
): Promise<string> {
  const runner = RUNNERS[name];
  if (runner === undefined) throw new Error(`No test knows how to run: npx ${name}`);
  if (name === "playwright") {
    const config = await createConfig(folder);
    if (config === undefined) return "";
    args.push("--config", config);
  } else args.push(`--testTimeout=${limit(60_000)}`);
  // The page's own tests must not take themselves for a part of the one that runs them.
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_ENV, ...inherited } = process.env;
  const options = { cwd: folder, env: { ...inherited, ...env } };
  try {
    await promisify(execFile)(process.execPath, [join(folder, "node_modules", runner), ...args], options);
    return "";
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    throw new Error(`npx ${name} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
}

/** The page's own config, with a free port and the browser that there is; undefined, and said so, where there is none. */
async function createConfig(folder: string): Promise<string | undefined> {
  const browser = await findChromium();
  if (typeof browser === "string") {
    console.warn(`The Playwright tests of the pages are not run: ${browser}.`);
    return undefined;
  }
  const file = join(folder, "playwright.config.ts");
  const port = String(await freePort());
  const text = readFileSync(file, "utf8")
    .replaceAll(":3000", `:${port}`)
    .replace("--memory", `--memory --port ${port}`);
  writeFileSync(file, text);
  const launchOptions = {
    executablePath: browser.place,
    args: ["--no-sandbox"],
    env: { ...process.env, ...browser.env },
  };
  const limits = { timeout: limit(60_000), expect: { timeout: limit(30_000) } };
  const wrapper = `import config from "./playwright.config.ts";
const use = { ...config.use, launchOptions: ${JSON.stringify(launchOptions)} };
const webServer = config.webServer && { ...config.webServer, timeout: ${limit(60_000)} };
export default { ...config, ...${JSON.stringify(limits)}, use, webServer };
`;
  writeFileSync(join(folder, "with-browser.config.ts"), wrapper);
  return "with-browser.config.ts";
}
