import { describe, expect, test } from "vitest";
import { tellNumbers } from "../support/tell-numbers.ts";
import { crashLoop, MOMENTS } from "./crash-loop.ts";

/** The long form of the crash loop: every moment many times over, on small and large files. */
const SEED = Number(process.env.STANDIN_TEST_SEED ?? Date.now() % 1_000_000);
const LOOPS = 20;

const files: readonly [name: string, stock: number, args: readonly string[]][] = [
  ["a small file", 20, []],
  ["a file of 20,000 records", 20_000, []],
  ["a small file, --durability disk", 20, ["--durability", "disk"]],
];

describe(`kill -9, hundreds of times (seed ${SEED})`, () => {
  for (const [index, [name, stock, args]] of files.entries()) {
    test(`${name}: nothing acknowledged is missing after ${LOOPS * MOMENTS.length} crashes`, async () => {
      let total = 0;
      for (let loop = 0; loop < LOOPS; loop++) {
        const seed = SEED + index * LOOPS + loop;
        const acknowledged = await crashLoop({ seed, writers: 4, stock, moments: MOMENTS, args });
        expect(acknowledged, `seed ${seed}`).toBeGreaterThan(0);
        total += acknowledged;
      }
      tellNumbers(`${name}: ${LOOPS * MOMENTS.length} kills, ${total} writes acknowledged, none lost.`);
    });
  }
});
