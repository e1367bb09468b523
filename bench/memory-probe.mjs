/** Loaded into a server before it starts: when the bench asks, tells what is alive in memory, garbage not counted. */
import { setTimeout as sleep } from "node:timers/promises";

process.on("message", async () => {
  globalThis.gc();
  // Large buffers are given back a moment later.
  await sleep(1000);
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send((heapUsed + external) / 2 ** 20);
});
process.channel.unref();
