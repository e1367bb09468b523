import { describe, expect, test } from "vitest";
import { tellNumbers } from "../support/tell-numbers.ts";
import { crashBesideEditor } from "./crash-beside-editor.ts";
import { crashLoop, killsIn, MOMENTS } from "./crash-loop.ts";
import type { Source } from "./crash-place.ts";

/** The long form of the crash loops: a thousand kills, half of them beside an editor of the data files. */
const SEED = Number(process.env.STANDIN_TEST_SEED ?? Date.now() % 1_000_000);
const KILLS = Number(process.env.STANDIN_KILLS ?? 1000);

const DISK = ["--durability", "disk"];

interface Lane {
  readonly name: string;
  readonly share: number;
  readonly source: Source;
  readonly stock?: number;
  readonly args?: readonly string[];
}

const alone: readonly Lane[] = [
  { name: "a small file", share: 0.3, source: "db.json" },
  { name: "a small file, --durability disk", share: 0.2, source: "db.json", args: DISK },
  { name: "a file of 20,000 records", share: 0.1, source: "db.json", stock: 20_000 },
  { name: "a folder", share: 0.3, source: "data" },
  { name: "a folder, --durability disk", share: 0.1, source: "data", args: DISK },
];

const besideEditor: readonly Lane[] = [
  { name: "a file", share: 0.4, source: "db.json" },
  { name: "a file, --durability disk", share: 0.2, source: "db.json", args: DISK },
  { name: "a folder", share: 0.4, source: "data" },
];

describe(`kill -9, a thousand times (seed ${SEED})`, () => {
  for (const [index, { name, share, source, stock = 20, args = [] }] of alone.entries()) {
    const loops = Math.ceil((KILLS / 2) * (share / killsIn(MOMENTS)));
    const kills = loops * killsIn(MOMENTS);
    test.concurrent(`${name}: nothing acknowledged is missing after ${kills} kills`, async () => {
      const total = new Map<string, number>();
      for (let loop = 0; loop < loops; loop++) {
        const seed = SEED + index * 1000 + loop;
        const tally = await crashLoop({ seed, writers: 4, stock, source, moments: MOMENTS, args });
        for (const [kind, count] of tally) total.set(kind, (total.get(kind) ?? 0) + count);
      }
      const count = (...kinds: string[]): number => kinds.reduce((sum, kind) => sum + (total.get(kind) ?? 0), 0);
      expect(count("create")).toBeGreaterThan(0);
      tellNumbers(
        `${name}: ${kills} kills, ${count(...total.keys())} acknowledged writes (${count("batch")} batches, ` +
          `${count("promotion")} promotions, ${count("collection", "rename", "drop")} collections created, renamed or ` +
          `removed, ${count("repeated")} repeated with their key, ${count("restored")} restores and resets): ` +
          "0 lost, nothing else altered.",
      );
    });
  }

  for (const [index, { name, share, source, args = [] }] of besideEditor.entries()) {
    const kills = Math.ceil((KILLS / 2) * share);
    test.concurrent(`beside an editor of ${name}: no write and no edit is missing after ${kills} kills`, async () => {
      const tally = await crashBesideEditor({ seed: SEED + 10_000 + index, kills, writers: 3, source, args });
      expect(Math.min(tally.acknowledged, tally.editsInPlace, tally.editsByRename)).toBeGreaterThan(0);
      tellNumbers(
        `beside an editor of ${name}: ${kills} kills, ${tally.acknowledged} acknowledged writes, 0 lost; ` +
          `${tally.editsInPlace} edits in place and ${tally.editsByRename} by rename, 0 lost.`,
      );
    });
  }
});
