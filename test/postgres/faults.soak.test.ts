import { describe, expect, test } from "vitest";
import { runWithFaults } from "./faults.ts";

describe("20 clients on three processes for 20 seconds, one killed, the database restarted once", () => {
  for (const stop of ["fast", "immediate"] as const) {
    test(`with a ${stop} stop: nothing is lost, no id is given twice, no write is hidden`, async () => {
      const { problems, acknowledged, refused } = await runWithFaults(20, 20_000, stop);
      console.log(`${acknowledged} writes acknowledged; refused, by status: ${JSON.stringify([...refused])}`);
      expect(problems).toEqual([]);
      expect(acknowledged).toBeGreaterThan(100);
    });
  }
});
