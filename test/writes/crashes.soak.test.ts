import { expect, test } from "vitest";
import { killWhileWritingMany } from "./crashes.ts";

const KILLS = 100;

test(`writes of many records are there completely or not at all after ${KILLS} kills`, async () => {
  const seed = Date.now() % 1_000_000;
  const acknowledged = await killWhileWritingMany(KILLS, seed);
  console.log(
    `${KILLS} kills during writes of many records (seed ${seed}), ${acknowledged} acknowledged: none lost, none by half.`,
  );
  expect(acknowledged).toBeGreaterThan(0);
});
