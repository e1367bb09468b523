import { expect, test } from "vitest";
import { killWhileWritingMany } from "./crashes.ts";

test("writes of many records are there completely or not at all after 10 kills", async () => {
  expect(await killWhileWritingMany(10, 1)).toBeGreaterThan(0);
});
