import { expect, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { deliverOverKills } from "./kills.ts";

test.each(["1000", "off"])(
  "1,000 deliveries over 20 kills, --history %s: each at least once",
  { timeout: 600_000 },
  async (history) => {
    const count = await deliverOverKills(20, 1000, ["--history", history]);
    tellNumbers(`1,000 webhooks over 20 kills with --history ${history}: ${count} requests.`);
  },
);

test("500 jobs in one move of the clock", async () => {
  await using api = await createStandin({
    data: { orders: [] },
    clock: "2030-01-01T00:00:00Z",
    timeline: [{ on: "orders.created", after: "1m", set: { status: "paid" } }],
  });
  await api.batch(Array.from({ length: 500 }, () => ({ method: "POST", path: "/orders", body: {} })));
  await api.clock.advance("1s");
  const startedAt = performance.now();
  await api.clock.advance("1h");
  tellNumbers(`500 jobs in one move of the clock: ${Math.round(performance.now() - startedAt)} ms.`);
  expect((await api.request("GET /orders?status=paid&_limit=1")).headers.get("x-total-count")).toBe("500");
});
