import type { DataFiles } from "./data.ts";
import { type Plan, say } from "./plan.ts";
import { startServer } from "./servers.ts";
import { renderTable, verdict } from "./table.ts";

const RECORDS = 100_000;
/** Somebody else may wait so long beside a request that reads, or writes a record. */
const READ_MS = 50;
/** Beside one that writes a whole collection. */
const WRITE_MS = 300;

/** Requests that have much to do. */
const READS = [
  "/products",
  "/db",
  "/products?_sort=name&_page=3",
  "/products?q=o",
  "/products?name_like=(a|b|c).*x",
  "/products?_group=name&_aggregate=count,avg:price",
  "/products?_expand=company",
  "/companies?_embed=products",
];
interface HeavyRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const WRITES: readonly HeavyRequest[] = [
  { method: "PATCH", path: "/products?_all=true", body: { price: 1 } },
  { method: "PATCH", path: "/products?price:lt=500", body: { name: "x" } },
  { method: "POST", path: "/__reset" },
];

/** The longest wait of somebody who reads and writes single records beside each of these requests. */
export async function measureWaits(files: DataFiles, { isQuick }: Plan): Promise<string> {
  const lines: string[][] = [];
  const data = files.generated({ products: RECORDS, companies: 1000 });
  const server = await startServer("standin", data);
  try {
    const asked = [...READS.map((path): HeavyRequest => ({ method: "GET", path })), ...WRITES];
    for (const request of asked) {
      const most = request.method === "GET" ? READ_MS : WRITE_MS;
      let waitMs = Number.POSITIVE_INFINITY;
      // The least of some tries: others on the machine only make it longer.
      for (let tries = 0; tries < (isQuick ? 2 : 5) && waitMs > most; tries++) {
        waitMs = Math.min(waitMs, await waitBeside(server.url, request));
      }
      const name = `${request.method} ${request.path}`;
      say(`beside ${name}: ${waitMs.toFixed(0)} ms`);
      lines.push([name, `${waitMs.toFixed(0)} ms`, verdict([[`<= ${most} ms`, waitMs <= most]])]);
    }
  } finally {
    await server.stop();
  }
  return renderTable([`somebody else's wait at ${RECORDS.toLocaleString("en")} records`, "longest", "goal"], lines);
}

async function waitBeside(url: string, { method, path, body }: HeavyRequest): Promise<number> {
  let isRunning = true;
  const json = { "Content-Type": "application/json" };
  const heavy = fetch(`${url}${path}`, { method, ...(body && { headers: json, body: JSON.stringify(body) }) })
    .then((response) => response.arrayBuffer())
    .finally(() => {
      isRunning = false;
    });
  let longest = 0;
  for (let count = 1; isRunning; count++) {
    const init = count % 2 === 0 ? { method: "PATCH", headers: json, body: '{"price":2}' } : {};
    const startedAt = performance.now();
    await (await fetch(`${url}/products/${count}`, init)).arrayBuffer();
    longest = Math.max(longest, performance.now() - startedAt);
  }
  await heavy;
  return longest;
}
