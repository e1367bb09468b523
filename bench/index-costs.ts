import { setTimeout as sleep } from "node:timers/promises";
import type { DataFiles } from "./data.ts";
import { say } from "./plan.ts";
import { startServer } from "./servers.ts";

const PRODUCTS = 1_000_000;
const SETTLE_MS = 4000;
/** Each makes one index, in this order. The last one is the longest that its first request may take. */
const QUERIES: readonly (readonly [index: string, path: string, maxFirstMs?: number])[] = [
  ["equality", "/products?company_id=7&_limit=1"],
  ["order", "/products?_sort=price&_limit=1", 800],
  ["range", "/products?price_gte=5&price_lte=5.1", 800],
  ["text of one field", "/products?name_like=granite%20hat&_limit=1", 800],
  ["text of all fields", "/products?q=granite%20hat&_limit=1", 800],
];

export interface IndexCost {
  readonly index: string;
  /** The first request that wants the index, and the same one when it is there. */
  readonly firstMs: number;
  readonly laterMs: number;
  readonly maxFirstMs: number | undefined;
  /** The memory it keeps alive. */
  readonly megabytes: number;
}

/** The cost of an index at a million records: the wait of the first query that needs it, and its memory. */
export async function measureIndexCosts(files: DataFiles): Promise<IndexCost[]> {
  const server = await startServer("standin", files.generated({ products: PRODUCTS, companies: 100 }), {
    probe: "memory",
  });
  const ask = async (path: string): Promise<number> => {
    const startedAt = performance.now();
    await (await fetch(`${server.url}${path}`)).arrayBuffer();
    return performance.now() - startedAt;
  };
  try {
    const costs: IndexCost[] = [];
    await ask("/products/1");
    await sleep(SETTLE_MS);
    let megabytes = await server.liveMegabytes();
    for (const [index, path, maxFirstMs] of QUERIES) {
      const firstMs = await ask(path);
      await sleep(SETTLE_MS);
      const later = [await ask(path), await ask(path), await ask(path)];
      const now = await server.liveMegabytes();
      costs.push({ index, firstMs, laterMs: Math.min(...later), maxFirstMs, megabytes: now - megabytes });
      megabytes = now;
      say(`index: ${JSON.stringify(costs.at(-1))}`);
    }
    return costs;
  } finally {
    await server.stop();
  }
}
