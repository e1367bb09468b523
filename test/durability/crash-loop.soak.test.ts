import { describe, expect, test } from "vitest";
import { tellNumbers } from "../support/tell-numbers.ts";
import { crashBesideEditor } from "./crash-beside-editor.ts";
import { crashLoop, killsIn, MOMENTS } from "./crash-loop.ts";

/** The long form of the crash loops: a thousand kills, half of them next to an editor of the data file. */
const SEED = Number(process.env.STANDIN_TEST_SEED ?? Date.now() % 1_000_000);
const KILLS = Number(process.env.STANDIN_KILLS ?? 1000);

const DISK = ["--durability", "disk"];
const files: readonly [name: string, share: number, stock: number, args: readonly string[]][] = [
  ["a small file", 0.3, 20, []],
  ["another small file", 0.3, 20, []],
  ["a small file, --durability disk", 0.25, 20, DISK],
  ["a file of 20,000 records", 0.15, 20_000, []],
];

describe(`kill -9, a thousand times (seed ${SEED})`, () => {
  for (const [index, [name, share, stock, args]] of files.entries()) {
    const loops = Math.ceil((KILLS / 2) * (share / killsIn(MOMENTS)));
    test.concurrent(`${name}: nothing acknowledged is missing after ${loops * killsIn(MOMENTS)} kills`, async () => {
      let acknowledged = 0;
      for (let loop = 0; loop < loops; loop++) {
        const seed = SEED + index * 1000 + loop;
        const more = await crashLoop({ seed, writers: 4, stock, moments: MOMENTS, args });
        expect(more, `seed ${seed}`).toBeGreaterThan(0);
        acknowledged += more;
      }
      tellNumbers(`${name}: ${loops * killsIn(MOMENTS)} kills, ${acknowledged} acknowledged writes, 0 lost.`);
    });
  }

  for (const [lane, args] of [[], [], DISK].entries()) {
    const kills = Math.ceil(KILLS / 6);
    const name = `beside an outside editor${args.length > 0 ? `, ${args.join(" ")}` : ""} (${lane + 1})`;
    test.concurrent(`${name}: no write and no edit is missing after ${kills} kills`, async () => {
      const tally = await crashBesideEditor({ seed: SEED + 10_000 + lane, kills, writers: 3, args });
      expect(Math.min(tally.acknowledged, tally.editsInPlace, tally.editsByRename)).toBeGreaterThan(0);
      tellNumbers(
        `${name}: ${kills} kills, ${tally.acknowledged} acknowledged writes, 0 lost; ` +
          `${tally.editsInPlace} edits in place and ${tally.editsByRename} by rename, 0 lost.`,
      );
    });
  }
});
