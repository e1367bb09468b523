import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readDataFile } from "../../src/store/file/read-data-file.ts";
import { createFolder } from "../support/cli.ts";

const MEGABYTE = 2 ** 20;
const SIZE = 24 * MEGABYTE;

/** Little data in much text, so that only the text counts. A function of its own, so that nothing of it is left here. */
function writeLargeFile(): string {
  const path = join(createFolder(), "db.json");
  writeFileSync(path, `{ "things": []${" ".repeat(SIZE)}}`);
  return path;
}

test("the text of a large data file is garbage once it is parsed and hashed", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const path = writeLargeFile();
  const alive = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = alive();
  const { value, observed } = readDataFile(path, { refuseBlank: true });
  expect(value).toEqual({ things: [] });
  expect(observed.hash).toMatch(/^[0-9a-f]{64}$/);
  await expect.poll(() => alive() - before).toBeLessThan(SIZE / 2);
  expect(observed.hash).toMatch(/^[0-9a-f]{64}$/);
});
