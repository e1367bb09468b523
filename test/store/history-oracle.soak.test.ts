import { expect, test } from "vitest";
import { runFileOracle, runMemoryOracle } from "./history-oracles.ts";

/** Any seed will do; another one each time. It is in the name of what fails. */
const SEED = Number(process.env.STANDIN_TEST_SEED ?? Date.now() % 1_000_000);

test(`5,000 changes in memory: 500 moments equal their copies (seed ${SEED})`, { timeout: 1_200_000 }, async () => {
  expect(await runMemoryOracle(SEED, 5000, 500)).toBeGreaterThan(4000);
});

test(`5,000 changes of files, over crashes: 500 moments equal (seed ${SEED})`, { timeout: 2_400_000 }, async () => {
  expect(await runFileOracle(SEED, 5000, 500)).toBeGreaterThan(4000);
});
