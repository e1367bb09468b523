import { defineConfig } from "@playwright/test";
import { FLAGS } from "../support/chromium.ts";
import { limit } from "../support/limits.ts";

/** Run by `parallel.ts`, which says which browser there is, which server, and how many workers. */
const { STANDIN_TEST_BROWSER, STANDIN_TEST_BROWSER_ENV = "{}" } = process.env;

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  fullyParallel: true,
  reporter: "line",
  timeout: limit(60_000),
  expect: { timeout: limit(30_000) },
  use: {
    headless: true,
    launchOptions: {
      executablePath: STANDIN_TEST_BROWSER as string,
      args: [...FLAGS],
      env: { ...(process.env as Record<string, string>), ...JSON.parse(STANDIN_TEST_BROWSER_ENV) },
    },
  },
});
