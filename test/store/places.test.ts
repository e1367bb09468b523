import { expect, test } from "vitest";
import { placeBehind } from "../../src/store/stored-record.ts";

test.each([-0.5, -1 / 3, 0, 0.5, 1, 1.5, 12_345, 2 ** 40])("the place behind %d is a little more", (slot) => {
  expect(placeBehind(slot)).toBeGreaterThan(slot);
  expect(placeBehind(slot) - slot).toBeLessThan(0.01);
});
