import { expect, test } from "vitest";
import { Oracle } from "./oracle.ts";

test("300 random changes: the past is as fresh servers show it, and reverts are naive three-way merges", async () => {
  const oracle = new Oracle({ seed: 7, changes: 300, reads: 100, reverts: 25 });
  await oracle.run();
  expect(oracle.done.reverts).toBeGreaterThan(20);
  expect(oracle.done.conflicts).toBeGreaterThan(3);
});
