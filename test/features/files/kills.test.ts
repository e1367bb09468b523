import { expect, test } from "vitest";
import { limit } from "../../support/limits.ts";
import { killUploads } from "./kill-uploads.ts";

test("5 kills during uploads leave no record without its file", { timeout: limit(60_000) }, async () => {
  const { records, missing } = await killUploads(5);
  expect(records).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});
