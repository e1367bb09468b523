import { expect, test } from "vitest";
import { killWhileWritingMany } from "./crashes.ts";

test("writes of many records are there completely or not at all after 3 kills", async () => {
  const { acknowledged } = await killWhileWritingMany("db.json", 3, 1);
  expect(acknowledged).toBeGreaterThan(0);
});
