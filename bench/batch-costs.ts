import type { DataFiles } from "./data.ts";
import { type Plan, say } from "./plan.ts";
import { type Running, startServer } from "./servers.ts";
import { median } from "./statistics.ts";

const RECORDS = 1000;
/** Requests of a kind in a round: the system counts CPU time in hundredths of a second. */
const REQUESTS = 20;
const LEAST_ROUNDS = 5;

/** The bodies of the records, by what is said of them. */
const SHAPES: Readonly<Record<string, (at: number) => object>> = {
  "1 field": (at) => ({ n: at }),
  "4 fields": (at) => ({ name: `Product ${at}`, price: at, color: "red", stock: at }),
  "10 fields": (at) => {
    const more = { b: 2, c: "ccc", d: "dddd", e: null, f: true, g: [1, 2], h: { x: 1 } };
    return { name: `Product ${at}`, price: at, a: 1, ...more };
  },
};

export interface BatchCost {
  readonly records: string;
  /** CPU time of the server for one request, in milliseconds. */
  readonly arrayMs: number;
  readonly batchMs: number;
  /** The median of rounds. */
  readonly ratio: number;
}

/** The cost of 1,000 records that are created by one request: in an array, and as a batch of creations. */
export async function measureBatchCosts(files: DataFiles, plan: Plan): Promise<BatchCost[]> {
  const costs: BatchCost[] = [];
  for (const [records, make] of Object.entries(SHAPES)) {
    const server = await startServer("standin", files.generated({ products: 100, companies: 10 }), {
      setup: { standin: { memory: true } },
    });
    try {
      costs.push({ records, ...(await compare(server, make, plan)) });
      say(`batch: ${JSON.stringify(costs.at(-1))}`);
    } finally {
      await server.stop();
    }
  }
  return costs;
}

async function compare(
  server: Running,
  make: (at: number) => object,
  { rounds }: Plan,
): Promise<Omit<BatchCost, "records">> {
  const bodies = Array.from({ length: RECORDS }, (_, at) => make(at));
  const requests = bodies.map((body) => ({ method: "POST", path: "/products", body }));
  const array = { path: "/products", text: JSON.stringify(bodies) };
  const batch = { path: "/__batch", text: JSON.stringify({ requests }) };
  const cost = async ({ path, text }: typeof array): Promise<number> => {
    const before = server.cpuSeconds();
    for (let sent = 0; sent < REQUESTS; sent++) await post(server, path, text);
    const ms = ((server.cpuSeconds() - before) * 1000) / REQUESTS;
    await post(server, "/__reset");
    return ms;
  };
  // Both kinds must be compiled before anything counts.
  for (let round = 0; round < 2; round++) for (const kind of [array, batch]) await cost(kind);
  const arrays: number[] = [];
  const batches: number[] = [];
  for (let round = 0; round < Math.max(LEAST_ROUNDS, rounds); round++) {
    arrays.push(await cost(array));
    batches.push(await cost(batch));
  }
  return {
    arrayMs: median(arrays),
    batchMs: median(batches),
    ratio: median(batches.map((ms, round) => ms / arrays[round]!)),
  };
}

async function post({ url }: Running, path: string, text = "{}"): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: text });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`POST ${path} responded with ${response.status}.`);
}
