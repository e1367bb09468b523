import { once } from "node:events";
import { expect } from "vitest";
import { createFolder, serveCli } from "../../support/cli.ts";
import { startReceiver } from "./receiver.ts";

const CONFIG = (to: string) => ({ hooks: [{ name: "all", on: "orders.created", to }] });

/** Kills a server under writes, again and again: every acknowledged one is delivered, with one id in all attempts. */
export async function deliverOverKills(kills: number, writes: number, more: readonly string[] = []): Promise<number> {
  const { url: to, received } = await startReceiver();
  const folder = createFolder({ "db.json": { orders: [] }, "standin.json": CONFIG(to) });
  const acknowledged = new Set<number>();
  for (let kill = 0; kill <= kills; kill++) {
    const served = await serveCli(["db.json", "--port", "0", ...more], folder);
    const isLast = kill === kills;
    const until = isLast ? writes : Math.ceil(((kill + 1) * writes) / (kills + 1));
    for (let n = acknowledged.size; n < until; n++) {
      const response = await fetch(`${served.url}/orders`, {
        method: "POST",
        body: JSON.stringify({ n }),
        headers: JSON_TYPE,
      });
      expect(response.status).toBe(201);
      acknowledged.add(n);
    }
    if (isLast) await expect.poll(() => deliveredIn(received).size).toBe(writes);
    served.child.kill("SIGKILL");
    if (served.child.exitCode === null && served.child.signalCode === null) await once(served.child, "exit");
  }
  const delivered = deliveredIn(received);
  expect([...acknowledged].filter((n) => !delivered.has(n))).toEqual([]);
  for (const ids of delivered.values()) expect(ids.size).toBe(1);
  return received.length;
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** The ids of deliveries, by the order that they tell of. */
function deliveredIn(received: Awaited<ReturnType<typeof startReceiver>>["received"]): Map<number, Set<unknown>> {
  const delivered = new Map<number, Set<unknown>>();
  for (const { body, headers } of received) {
    const { n } = JSON.parse(body).data;
    delivered.set(n, (delivered.get(n) ?? new Set()).add(headers["x-standin-delivery"]));
  }
  return delivered;
}
