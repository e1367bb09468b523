import { describe, expect, test } from "vitest";
import { IS_SOAK } from "../support/soak.ts";
import { runFileOracle, runMemoryOracle } from "./history-oracles.ts";

describe("the past equals copies that were made of it", () => {
  test.each([1])("in memory, with the seed %i", async (seed) => {
    expect(await runMemoryOracle(seed, 150)).toBeGreaterThan(140);
  });

  test.each(IS_SOAK ? [1, 2] : [1])(
    "in files, over restarts, crashes and edits from outside, with the seed %i",
    async (seed) => {
      expect(await runFileOracle(seed, 120)).toBeGreaterThan(90);
    },
  );
});
