import { describe, expect, test } from "vitest";
import { crashBesideEditor } from "./crash-beside-editor.ts";
import { crashLoop, type Moment } from "./crash-loop.ts";

/** Any seed will do; another one each time, so that the rounds of many runs add up. It is in the name of what fails. */
const SEED = Number(process.env.STANDIN_TEST_SEED ?? Date.now() % 1_000_000);

/** Two of the moments at which something is half done; other runs take the others. */
const HALF_DONE = ["staging", "restore", "reload"] as const;
const TWO = [0, 1].map((at) => HALF_DONE[(SEED + at) % HALF_DONE.length] as Moment);

const loops: readonly [name: string, stock: number, args: readonly string[], moments: readonly Moment[]][] = [
  ["a small file", 20, [], TWO],
  ["a small file, --durability disk", 20, ["--durability", "disk"], ["any", "replaced"]],
];

describe(`kill -9, again and again (seed ${SEED})`, () => {
  for (const [index, [name, stock, args, moments]] of loops.entries()) {
    test.concurrent(`${name}: nothing acknowledged is missing after ${moments.length} crashes`, async () => {
      const acknowledged = await crashLoop({ seed: SEED + index, writers: 4, stock, moments, args });
      expect(acknowledged).toBeGreaterThan(0);
    });
  }

  test.concurrent("beside an outside editor: no write and no edit is missing after 2 crashes", async () => {
    const tally = await crashBesideEditor({ seed: SEED + 10, kills: 2, writers: 3, args: [] });
    expect(tally.acknowledged).toBeGreaterThan(0);
  });
});
