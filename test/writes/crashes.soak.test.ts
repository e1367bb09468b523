import { describe, expect, test } from "vitest";
import { killWhileWritingMany } from "./crashes.ts";

const KILLS = 100;

describe(`writes of many records are there completely or not at all after ${KILLS} kills`, () => {
  for (const [name, source] of [
    ["a data file", "db.json"],
    ["a data folder", "data"],
  ] as const) {
    test(`on ${name}`, async () => {
      const seed = Date.now() % 1_000_000;
      const { acknowledged, interrupted } = await killWhileWritingMany(source, KILLS, seed);
      const { done, undone } = interrupted;
      console.log(
        `${KILLS} kills on ${name} (seed ${seed}), ${acknowledged} writes acknowledged, ${done + undone} interrupted ` +
          `(${done} of them carried out): none lost, none by half.`,
      );
      expect(acknowledged).toBeGreaterThan(0);
      expect(undone).toBeGreaterThan(0);
    });
  }
});
