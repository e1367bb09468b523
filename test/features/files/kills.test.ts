import { expect, test } from "vitest";
import { limit } from "../../support/limits.ts";
import { killUploads } from "./kill-uploads.ts";

test("a kill during uploads leaves no record without its file", { timeout: limit(60_000) }, async () => {
  const { records, missing } = await killUploads(1);
  expect(records).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});
