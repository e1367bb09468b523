import { describe, expect, test } from "vitest";
import { crashBesideEditor } from "./crash-beside-editor.ts";
import { crashLoop, type Moment } from "./crash-loop.ts";
import type { Source } from "./crash-place.ts";

/** Any seed will do; another one each time, so that the rounds of many runs add up. It is in the name of what fails. */
const SEED = Number(process.env.STANDIN_TEST_SEED ?? Date.now() % 1_000_000);

/** Two of the moments at which something is half done; other runs take the others. */
const HALF_DONE = ["staging", "restore", "reload", "reset"] as const;
const TWO = [0, 1].map((at) => HALF_DONE[(SEED + at) % HALF_DONE.length] as Moment);

const loops: readonly [name: string, source: Source, args: readonly string[], moments: readonly Moment[]][] = [
  ["a small file", "db.json", [], TWO],
  ["a folder of files, --durability disk", "data", ["--durability", "disk"], ["replaced", "restore"]],
];

describe(`kill -9, again and again (seed ${SEED})`, () => {
  // Runs take turns at a file and a folder; `crash-loop.soak.test.ts` has both.
  const [name, source, args, moments] = loops[SEED % 2]!;
  test.concurrent(`${name}: nothing acknowledged is missing after ${moments.length} crashes`, async () => {
    const tally = await crashLoop({ seed: SEED, writers: 4, stock: 20, source, moments, args });
    expect(Math.max(...tally.values())).toBeGreaterThan(0);
  });

  const other = SEED % 2 === 0 ? "data" : "db.json";
  test.concurrent(`beside an outside editor of ${other}: no write and no edit is missing after a crash`, async () => {
    const tally = await crashBesideEditor({ seed: SEED + 10, kills: 1, writers: 3, source: other, args: [] });
    expect(tally.acknowledged).toBeGreaterThan(0);
  });
});
