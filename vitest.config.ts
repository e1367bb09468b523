import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.soak.test.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
