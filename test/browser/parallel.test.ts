import { test } from "vitest";
import { missing, runInParallel } from "./parallel.ts";

const reason = missing && ` (${missing})`;

test.skipIf(missing)(`2 windows side by side on one server, each in its own sandboxes${reason}`, async () => {
  await runInParallel(1, 1, 2);
});
