/** The load generator: takes one job from its parent, warms the server up, measures, and reports. */
import { Client } from "./client.ts";
import type { Load, LoadMessage, LoadResult } from "./load.ts";
import { encodeRequest } from "./requests.ts";
import { percentile } from "./statistics.ts";

process.once("message", async (load: Load) => {
  try {
    if (load.warmUpSeconds > 0) await run(load, load.warmUpSeconds);
    tell({ kind: "warm" });
    tell({ kind: "result", ...(await run(load, load.seconds)) });
  } catch (thrown) {
    tell({ kind: "failed", reason: String(thrown) });
  }
});

function tell(message: LoadMessage): void {
  process.send?.(message);
}

async function run({ url, requests, connections }: Load, seconds: number): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const texts = requests.map((request) => encodeRequest(request, hostname));
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const clients = Array.from({ length: connections }, (_, number) => {
    // Every connection begins elsewhere in the list, so that they do not all ask the same at once.
    let next = Math.floor((number * texts.length) / connections);
    return new Client(hostname, Number(port), {
      nextRequest: () => (performance.now() < endsAt ? texts[next++ % texts.length] : undefined),
      onAnswer: (milliseconds) => latencies.push(milliseconds),
    });
  });
  await Promise.all(clients.map((client) => client.done));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    answered: latencies.length,
    seconds: elapsed,
    medianMs: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    generatorBusy: (user + system) / 1e6 / elapsed,
  };
}
