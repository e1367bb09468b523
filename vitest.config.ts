import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { compiledSources } from "./test/support/compiled-sources.ts";
import { limit, measureSlowness } from "./test/support/limits.ts";
import { LongestFirst } from "./test/support/longest-first.ts";

measureSlowness();

export default defineConfig({
  plugins: [compiledSources()],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.soak.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: [
      "test/support/limits.ts",
      "test/support/build.ts",
      "test/support/compiled-sources.ts",
      "test/postgres/shared-server.ts",
    ],
    // Many tests wait for a server of theirs, so even two cores have room for four files at a time.
    maxWorkers: Math.max(4, availableParallelism()),
    // Files share what they import; no test changes that.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    maxConcurrency: 3,
    // No test takes a tenth of this on an idle machine: it ends what hangs, and judges nothing.
    testTimeout: limit(90_000),
    hookTimeout: limit(90_000),
    teardownTimeout: limit(90_000),
    expect: { poll: { timeout: limit(30_000) } },
  },
});
