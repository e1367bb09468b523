import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.soak.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/build.ts", "test/postgres/shared-server.ts"],
    // Many tests wait for a server of theirs, so even two cores have room for three files at a time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Files share what they import; no test changes that.
    isolate: false,
    maxConcurrency: 3,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
