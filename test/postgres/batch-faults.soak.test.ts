import { expect, test } from "vitest";
import { writeManyThroughFaults } from "./batch-faults.ts";

const KILLS = 100;
const RESTARTS = 12;

test(`writes of many records are there completely or not at all after ${KILLS} kills and ${RESTARTS} restarts of the database`, async () => {
  const seed = Date.now() % 1_000_000;
  const { acknowledged, interrupted } = await writeManyThroughFaults({
    kills: KILLS,
    restarts: RESTARTS,
    longestMs: 120,
    seed,
  });
  const { done, undone } = interrupted;
  console.log(
    `${KILLS} kills and ${RESTARTS} restarts of the database (seed ${seed}), ${acknowledged} writes acknowledged, ` +
      `${done + undone} interrupted (${done} of them carried out): none lost, none by half.`,
  );
  expect(acknowledged).toBeGreaterThan(0);
  expect(undone).toBeGreaterThan(0);
});
