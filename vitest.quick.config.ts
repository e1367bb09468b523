import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { limit, measureSlowness } from "./test/support/limits.ts";
import { quickFiles } from "./test/support/test-runs.ts";

measureSlowness();

/** `npm run test:quick`: the tests that need no build, no process of their own, no database and no browser. */
export default defineConfig({
  test: {
    include: quickFiles(),
    maxWorkers: availableParallelism(),
    setupFiles: ["test/support/setup.ts"],
    // Files share what they import; no test changes that.
    isolate: false,
    testTimeout: limit(30_000),
    hookTimeout: limit(30_000),
    expect: { poll: { timeout: limit(10_000) } },
  },
});
