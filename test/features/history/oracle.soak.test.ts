import { expect, test } from "vitest";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { Oracle } from "./oracle.ts";

test("5,000 random changes of every kind, 500 reads of the past, and reverts", { timeout: 1_800_000 }, async () => {
  const seed = Date.now() % 100_000;
  const oracle = new Oracle({ seed, changes: 5000, reads: 500, reverts: 15 });
  await oracle.run();
  expect(oracle.done.reverts).toBeGreaterThan(300);
  tellNumbers(`history, seed ${seed}: ${JSON.stringify(oracle.done)}`);
});
