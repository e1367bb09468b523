/**
 * Every comparison with a snapshot of 18 MB held the event loop for 170 ms, because the file was read and parsed in one go.
 * Here time is up at every look at the clock, so that every pause is taken, and their number does not depend on the machine.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Snapshots } from "../../src/features/snapshots/folder-snapshots.ts";
import { createFolder } from "../support/cli.ts";

const RECORDS = Array.from({ length: 10_000 }, (_, at) => ({ id: at + 1, name: `Record ${at}`, tags: ["a", "b"] }));

test("a large snapshot is read in many turns of the event loop", async ({ onTestFinished }) => {
  const folder = createFolder({});
  writeFileSync(join(folder, "large.json"), JSON.stringify({ records: RECORDS }, null, 2));
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
  let isLoaded = false;
  const loading = (async () => new Snapshots(folder).load("large"))().finally(() => {
    isLoaded = true;
  });
  let turns = 0;
  for (; !isLoaded; turns++) await new Promise(setImmediate);
  expect((await loading).records).toEqual(RECORDS);
  expect(turns).toBeGreaterThan(30);
});
