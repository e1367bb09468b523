import { expect, test } from "vitest";
import { writeManyThroughFaults } from "./batch-faults.ts";

test("writes of many records are there completely or not at all after 2 kills", async () => {
  const { acknowledged } = await writeManyThroughFaults({ kills: 2, restarts: 0, longestMs: 20, seed: 1 });
  expect(acknowledged).toBeGreaterThan(0);
});
