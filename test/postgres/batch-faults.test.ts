import { expect, test } from "vitest";
import { writeManyThroughFaults } from "./batch-faults.ts";

test("writes of many records are there completely or not at all after a kill and a restart of the database", async () => {
  const { acknowledged } = await writeManyThroughFaults({ kills: 1, restarts: 1, longestMs: 20, seed: 1 });
  expect(acknowledged).toBeGreaterThan(0);
});
