import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Candidate, FLAGS, sharedChromium } from "./chromium.ts";
import { limit } from "./limits.ts";
import { somePort } from "./some-port.ts";

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
  if (name === "playwright") return runPlaywright(folder, args, env);
  return run(folder, runner, [...args, `--testTimeout=${limit(60_000)}`], env);
}

async function run(folder: string, runner: string, args: string[], env: Record<string, string>): Promise<string> {
  // The page's own tests must not take themselves for a part of the one that runs them.
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_ENV, ...inherited } = process.env;
  const options = { cwd: folder, env: { ...inherited, ...env } };
  try {
    await promisify(execFile)(process.execPath, [join(folder, "node_modules", runner), ...args], options);
    return "";
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    throw new Error(`${runner} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
}

/** Uses the available browser, and another port if the first is taken; without a browser, it is skipped with a message. */
async function runPlaywright(folder: string, args: string[], env: Record<string, string>): Promise<string> {
  const started = await sharedChromium();
  if (started.kind === "none") {
    console.warn(`The Playwright tests of the pages are not run: ${started.reason}.`);
    return "";
  }
  for (;;) {
    try {
      return await run(
        folder,
        RUNNERS.playwright!,
        [...args, "--config", createConfig(folder, started.candidate)],
        env,
      );
    } catch (thrown) {
      if (!/EADDRINUSE|is already used/.test(String(thrown))) throw thrown;
    }
  }
}

/** The page's own config, with some port and this browser. */
function createConfig(folder: string, browser: Candidate): string {
  const port = String(somePort());
  const text = readFileSync(join(folder, "playwright.config.ts"), "utf8")
    .replaceAll(":3000", `:${port}`)
    .replace("--memory", `--memory --port ${port}`);
  writeFileSync(join(folder, "on-some-port.config.ts"), text);
  const launchOptions = {
    executablePath: browser.place,
    args: FLAGS,
    env: { ...process.env, ...browser.env },
  };
  const limits = { timeout: limit(60_000), expect: { timeout: limit(30_000) } };
  const wrapper = `import config from "./on-some-port.config.ts";
const use = { ...config.use, launchOptions: ${JSON.stringify(launchOptions)} };
const webServer = config.webServer && { ...config.webServer, timeout: ${limit(60_000)} };
export default { ...config, ...${JSON.stringify(limits)}, use, webServer };
`;
  writeFileSync(join(folder, "with-browser.config.ts"), wrapper);
  return "with-browser.config.ts";
}
