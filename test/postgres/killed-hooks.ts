import postgres from "postgres";
import { expect } from "vitest";
import { startReceiver } from "../features/hooks/receiver.ts";
import { askAt } from "../support/api.ts";
import { limit } from "../support/limits.ts";
import { createStore } from "./database.ts";
import { kill, type Process, startProcess } from "./processes.ts";

/** Kills one of two processes under writes, again and again; returns the number of requests that the receiver got. */
export async function deliverOverKilledProcesses(kills: number, writes: number): Promise<number> {
  const { url: to, received } = await startReceiver();
  const { store, url, schema, close } = await createStore();
  await store.swap({ orders: [] });
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: schema } });
  const config = { hooks: [{ name: "all", on: "orders.created", to }] };
  const start = (): Promise<Process> => startProcess(url, schema, [], config);
  const processes = [await start(), await start()];
  const acknowledged = new Set<number>();
  let next = 0;
  let isOver = false;
  /** Settles when the process that was killed last has a successor. */
  let replaced: Promise<void> = Promise.resolve();
  try {
    const write = async (): Promise<void> => {
      for (let n = next++; !isOver || n < writes; n = next++) {
        const answer = await askAt(processes[n % 2]!.url, "POST /orders", { body: { n } }).catch(() => undefined);
        if (answer?.status === 201) acknowledged.add(n);
        else await replaced;
      }
    };
    const replace = async (victim: number): Promise<void> => {
      await kill(processes[victim]!);
      // Thirty seconds later, as far as the database knows. The other process loses its leases, too.
      await sql`UPDATE lanes SET leased_until = now()`;
      processes[victim] = await start();
    };
    const writing = Promise.all([write(), write(), write()]);
    for (let count = 0; count < kills; count++) {
      const before = acknowledged.size;
      await expect
        .poll(() => acknowledged.size - before, { timeout: limit(30_000) })
        .toBeGreaterThanOrEqual(Math.floor(writes / (kills + 1)));
      replaced = replace(count % 2);
      await replaced;
    }
    isOver = true;
    await writing;
    const isDelivered = (): number[] => {
      const delivered = new Set(received.map(({ body }) => JSON.parse(body).data.n));
      return [...acknowledged].filter((n) => !delivered.has(n));
    };
    await expect.poll(isDelivered, { timeout: limit(60_000) }).toEqual([]);
    const ids = new Map(received.map(({ body, headers }) => [JSON.parse(body).data.n, headers["x-standin-delivery"]]));
    for (const { body, headers } of received)
      expect(headers["x-standin-delivery"]).toBe(ids.get(JSON.parse(body).data.n));
    const attempts = received.map(({ headers }) => `${headers["x-standin-delivery"]} ${headers["x-standin-attempt"]}`);
    expect(new Set(attempts).size).toBe(attempts.length);
    return received.length;
  } finally {
    isOver = true;
    await Promise.all(processes.map(kill));
    await sql.end();
    await close();
  }
}
