import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { limit, measureSlowness } from "./test/support/limits.ts";

measureSlowness({ isLong: true });

/** `npm run soak`: the long runs, which `npm test` leaves out or keeps short. Each run asks something new. */
export default defineConfig({
  test: {
    include: [
      "test/**/*.soak.test.ts",
      "test/compat/**/*.test.ts",
      "test/docs.test.ts",
      "test/durability/crash-images.test.ts",
      "test/durability/watch.test.ts",
      "test/json-server/installed.test.ts",
      "test/large-json.test.ts",
      "test/security/guards.test.ts",
      "test/store/indexes.test.ts",
      "test/store/state.test.ts",
      "test/store/text-index.test.ts",
      "test/features/console/{api-docs,data,editor,lab,live,query,row-tools,rules,table,top-bar,views}.test.ts",
      "test/features/description/clients/typescript-client.test.ts",
      "test/features/sandboxes/isolation.test.ts",
      "test/security/malformed-requests.test.ts",
      "test/postgres/agreement.test.ts",
      "test/postgres/compat.test.ts",
      "test/postgres/query-oracle.test.ts",
      "test/postgres/cursors.test.ts",
      "test/query-language/corpus.test.ts",
      "test/query-language/cursors.test.ts",
      "test/features/dialect/json-server-1.test.ts",
      "test/query-language/json-server-1.test.ts",
      "test/query-language/oracle.test.ts",
      "test/query-language/over-http.test.ts",
    ],
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
    env: {
      STANDIN_SOAK: "1",
      STANDIN_COMPAT_REQUESTS: process.env.STANDIN_COMPAT_REQUESTS ?? "30000",
      STANDIN_SANDBOX_RUNS: process.env.STANDIN_SANDBOX_RUNS ?? "1000",
      STANDIN_RATE_KEYS: process.env.STANDIN_RATE_KEYS ?? "1000000",
      STANDIN_WATCH_CLIENTS: process.env.STANDIN_WATCH_CLIENTS ?? "300",
      STANDIN_INDEX_ROUNDS: process.env.STANDIN_INDEX_ROUNDS ?? "1000",
      STANDIN_FUZZ_REQUESTS: process.env.STANDIN_FUZZ_REQUESTS ?? "100000",
      STANDIN_FUZZ_SEED: process.env.STANDIN_FUZZ_SEED ?? String(Date.now() % 1_000_000),
      // Of each of two kinds.
      STANDIN_POSTGRES_QUERIES: process.env.STANDIN_POSTGRES_QUERIES ?? "8000",
      STANDIN_POSTGRES_COMPAT: process.env.STANDIN_POSTGRES_COMPAT ?? "3000",
      STANDIN_ORACLE_QUESTIONS: process.env.STANDIN_ORACLE_QUESTIONS ?? "100000",
      STANDIN_ORACLE_HTTP_QUESTIONS: process.env.STANDIN_ORACLE_HTTP_QUESTIONS ?? "5000",
      STANDIN_ORACLE_POSTGRES_QUESTIONS: process.env.STANDIN_ORACLE_POSTGRES_QUESTIONS ?? "10000",
      STANDIN_CURSOR_WALKS: process.env.STANDIN_CURSOR_WALKS ?? "5000",
      STANDIN_CURSOR_POSTGRES_WALKS: process.env.STANDIN_CURSOR_POSTGRES_WALKS ?? "200",
      STANDIN_DIALECT_READS: process.env.STANDIN_DIALECT_READS ?? "5000",
      STANDIN_DIALECT_WRITES: process.env.STANDIN_DIALECT_WRITES ?? "2000",
      STANDIN_JSON_SERVER_1_QUESTIONS: process.env.STANDIN_JSON_SERVER_1_QUESTIONS ?? "10000",
      STANDIN_SEED: process.env.STANDIN_SEED ?? String(Date.now() % 1_000_000),
    },
  },
});
