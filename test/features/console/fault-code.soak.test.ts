import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Overview } from "../../../console/src/api/overview.ts";
import { playwrightCode } from "../../../console/src/lab/faults/code/playwright-code.ts";
import { testCaseOf } from "../../../console/src/lab/faults/code/test-case.ts";
import { vitestCode } from "../../../console/src/lab/faults/code/vitest-code.ts";
import { startApi } from "../../support/api.ts";
import { builtPackage } from "../../support/build.ts";
import { createFolder } from "../../support/cli.ts";
import { runTests } from "../../support/test-runners.ts";
import { COPIED_RULES } from "./copied-code.ts";

const INSTALLED = {
  standin: builtPackage(),
  vitest: "node_modules/vitest",
  "@playwright/test": "node_modules/@playwright/test",
};

const CONFIG = `import { defineConfig } from "@playwright/test";
export default defineConfig({ testMatch: "*.spec.ts" });
`;

test("copied tests pass in the real runners: Vitest with a data file, Playwright with a running server", async () => {
  const api = await startApi();
  const overview = {
    ...((await api.ask("GET /__overview")).body as Overview),
    store: { kind: "file", place: "db.json", durability: null },
  };
  const files: Record<string, unknown> = { "playwright.config.ts": CONFIG, "db.json": { products: [{ id: 1 }] } };
  for (const [name, rule] of Object.entries(COPIED_RULES)) {
    const copied = testCaseOf(rule, overview);
    files[`${name}.test.ts`] = vitestCode(copied, overview);
    files[`${name}.spec.ts`] = playwrightCode(copied, api.url);
  }
  const folder = createFolder(files);
  for (const [name, path] of Object.entries(INSTALLED)) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(resolve(path), place);
  }
  await runTests(folder, ["vitest", "run", "--dir", folder, "--exclude", "**/*.spec.ts"], {});
  await runTests(folder, ["playwright", "test"], {});
  expect((await api.ask("GET /__sandboxes")).body).toEqual({ sandboxes: [] });
});
