import { expect, test } from "vitest";
import { browser, runInParallel } from "./parallel.ts";

test("8 browsers side by side, 20 times in a row", async () => {
  expect(typeof browser === "string" ? browser : "there is one").toBe("there is one");
  for (let round = 0; round < 20; round++) await runInParallel(8, 6);
});
