import { test } from "vitest";
import { tellNumbers } from "../support/tell-numbers.ts";
import { deliverOverKilledProcesses } from "./killed-hooks.ts";

test("1,000 webhooks of two processes over 20 kills: each at least once", { timeout: 900_000 }, async () => {
  const count = await deliverOverKilledProcesses(20, 1000);
  tellNumbers(`1,000 webhooks of two processes over 20 kills: ${count} requests.`);
});
