import { test } from "vitest";
import { browser, runInParallel } from "./parallel.ts";

const reason = typeof browser === "string" ? ` (${browser})` : "";

test.skipIf(reason !== "")(`4 browsers side by side on one server, each in sandboxes of its own${reason}`, async () => {
  await runInParallel(4, 2);
});
