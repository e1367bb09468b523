import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { createFolder } from "../../support/cli.ts";
import { limit } from "../../support/limits.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { startReceiver } from "./receiver.ts";

test("5,000 subscribers in a file hear of a change, each once", { timeout: limit(300_000) }, async () => {
  const { url, received } = await startReceiver();
  const webhooks = Array.from({ length: 5000 }, (_, n) => ({ id: n + 1, url: `${url}/${n}` }));
  const api = await createStandin({
    source: join(createFolder({ "db.json": { orders: [], webhooks } }), "db.json"),
    persist: true,
    hooks: [{ name: "all", on: "orders.created", subscribers: "webhooks" }],
    hookTargets: [new URL(url).origin],
  });
  onTestFinished(() => api.close());
  const before = process.memoryUsage().heapUsed;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await api.request("POST /orders", { body: { text: "x".repeat(1000) } });
  let most = 0;
  await expect
    .poll(
      () => {
        most = Math.max(most, process.memoryUsage().heapUsed - before);
        return received.length;
      },
      { timeout: limit(240_000), interval: 20 },
    )
    .toBe(5000);
  delay.disable();
  expect(new Set(received.map(({ url: path }) => path)).size).toBe(5000);
  // What the receiver keeps is among it.
  tellNumbers(
    `5,000 webhooks of one change: event loop at most ${Math.round(delay.max / 1e6)} ms, ${Math.round(most / 2 ** 20)} MB.`,
  );
});
