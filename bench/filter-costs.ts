import { copyFileSync } from "node:fs";
import { Agent, request } from "node:http";
import type { DataFiles } from "./data.ts";
import { say } from "./plan.ts";
import { type Running, startServer } from "./servers.ts";
import { median } from "./statistics.ts";

const RECORDS = 100_000;
const AFFECTED = 10_000;
/** Writes before any counts: the first ones are compiled on the way. */
const WARM_UP = 3;
const WRITES = 9;

export interface FilterCost {
  readonly store: string;
  readonly firstMs: number;
  /** Of later writes, the median. */
  readonly laterMs: number;
  /** The longest that a GET of a record took beside those. */
  readonly longestGetMs: number;
}

/** The cost of one PATCH that changes 10,000 of 100,000 records, and how long other requests wait for it. */
export async function measureFilterCosts(files: DataFiles): Promise<FilterCost[]> {
  const generated = files.generated({ products: RECORDS, companies: 1000 });
  const costs: FilterCost[] = [];
  for (const store of ["memory", "file"]) {
    const data = `${generated}.${store}.json`;
    copyFileSync(generated, data);
    const server = await startServer("standin", data, { setup: { standin: { memory: store === "memory" } } });
    try {
      costs.push({ store, ...(await measure(server)) });
      say(`by filter: ${JSON.stringify(costs.at(-1))}`);
    } finally {
      await server.stop();
    }
  }
  return costs;
}

async function measure({ url }: Running): Promise<Omit<FilterCost, "store">> {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, body?: object): Promise<number> =>
    new Promise((done, fail) => {
      const startedAt = performance.now();
      const headers = { "Content-Type": "application/json" };
      const sent = request(`${url}${path}`, { method, agent, ...(body && { headers }) }, (response) => {
        response.resume().on("end", () => done(performance.now() - startedAt));
        if (response.statusCode !== 200) fail(new Error(`${method} ${path} responded with ${response.statusCode}.`));
      });
      sent.on("error", fail).end(body && JSON.stringify(body));
    });
  await send("GET", "/products/1");
  const times: number[] = [];
  let longestGetMs = 0;
  for (let write = 0; write <= WARM_UP + WRITES; write++) {
    let isOver = false;
    const patch = send("PATCH", `/products?id:lte=${AFFECTED}`, { price: write }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const ms = await send("GET", "/products/5");
      if (write > WARM_UP) longestGetMs = Math.max(longestGetMs, ms);
    }
    times.push(await patch);
  }
  agent.destroy();
  return { firstMs: times[0]!, laterMs: median(times.slice(WARM_UP + 1)), longestGetMs };
}
