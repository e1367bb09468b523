import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { limit, measureSlowness } from "./test/support/limits.ts";
import { SOAK, soakFiles } from "./test/support/test-runs.ts";

measureSlowness({ isLong: true });

/** `npm run soak`: the long runs, which `npm test` leaves out or keeps short. */
export default defineConfig({
  test: {
    include: soakFiles(),
    // The numbers are there to be read.
    disableConsoleIntercept: true,
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/limits.ts", "test/support/build.ts", "test/postgres/shared-server.ts"],
    // Kills and restarts are mostly waited for.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: limit(3_600_000),
    hookTimeout: limit(60_000),
    teardownTimeout: limit(60_000),
    expect: { poll: { timeout: limit(30_000) } },
    env: { ...SOAK, STANDIN_TEST_V8_FLAGS: "" },
  },
});
