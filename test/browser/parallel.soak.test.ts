import { expect, test } from "vitest";
import { tellNumbers } from "../support/tell-numbers.ts";
import { missing, runInParallel } from "./parallel.ts";

const rounds = Number(process.env.STANDIN_BROWSER_ROUNDS ?? 5);

test(`8 browsers side by side, ${rounds} times in a row`, async () => {
  expect(missing).toBe("");
  for (let round = 0; round < rounds; round++) await runInParallel(8, 6);
  tellNumbers(`${rounds} rounds of 8 browsers side by side: all tests of all of them passed.`);
});
