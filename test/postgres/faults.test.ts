import { expect, test } from "vitest";
import { runWithFaults } from "./faults.ts";

test("a killed process and a database that goes away lose nothing, give no id twice and hide no write", async () => {
  const { problems, acknowledged, refused } = await runWithFaults(8, 900, "fast");
  expect(problems).toEqual([]);
  expect(acknowledged).toBeGreaterThanOrEqual(60);
  // No answer from the killed one, and 503 while there was no database; nothing else.
  expect([...refused.keys()].filter((status) => status !== 0 && status !== 503)).toEqual([]);
});
