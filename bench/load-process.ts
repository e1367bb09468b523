/** The load generator: takes one job from its parent, warms the server up, measures, and reports. */
import autocannon from "autocannon";
import type { Load, LoadMessage, LoadResult } from "./load.ts";

process.once("message", async (load: Load) => {
  await run(load, load.warmUpSeconds);
  tell({ kind: "warm" });
  tell({ kind: "result", ...(await run(load, load.seconds)) });
});

function tell(message: LoadMessage): void {
  process.send?.(message);
}

async function run({ url, requests, connections }: Load, seconds: number): Promise<LoadResult> {
  let next = 0;
  const startedAt = performance.now();
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 60,
    // Every connection begins elsewhere in the list, so that they do not all ask the same at once.
    setupClient(client) {
      const start = Math.floor((next++ * requests.length) / connections);
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)].map((request) => ({ ...request })));
    },
  });
  return {
    answered: result["2xx"],
    seconds: (performance.now() - startedAt) / 1000,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
