import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { putLoadOn } from "./load.ts";
import { type Plan, say } from "./plan.ts";
import { byCompany, type LoadRequest, newProducts, oneOf, pages } from "./requests.ts";
import { type ServerName, startServer } from "./servers.ts";
import { median } from "./statistics.ts";

const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];
/** Beyond this, json-server takes minutes for a handful of responses. */
const JSON_SERVER_LIMIT = 100_000;
/** Number of records that meet an equality filter at every size, so that the response does not grow. */
const MATCHES = 10;
const PAGE = 20;

const KINDS: readonly { name: string; requestsAt(size: number): readonly LoadRequest[] }[] = [
  { name: "one record", requestsAt: (size) => oneOf(size) },
  { name: "equality filter", requestsAt: (size) => byCompany(size / MATCHES) },
  { name: "sorted page", requestsAt: (size) => pages(size, PAGE, "&_sort=price") },
  // Last: it changes the data.
  { name: "POST", requestsAt: (size) => newProducts(size / MATCHES) },
];

/** One kind of request to one server: what it takes at each size. */
export interface Curve {
  readonly kind: string;
  readonly server: ServerName;
  readonly points: readonly Point[];
}

interface Point {
  readonly size: number;
  /** Of the wait for a response, with all connections waiting at once. */
  readonly medianMs: number;
  /** CPU time of the server for one response. */
  readonly cpuMs: number;
}

/** The same responses from more and more records. */
export async function measureGrowth(folder: string, plan: Plan): Promise<Curve[]> {
  const points = new Map<string, Point[]>();
  for (const size of plan.isQuick ? [100, 10_000] : SIZES) {
    const data = join(folder, `growth-${size}.json`);
    writeProducts(data, size);
    await measureSize("standin", data, size, plan, points);
    if (size <= JSON_SERVER_LIMIT) await measureSize("json-server", data, size, plan, points);
    rmSync(data);
  }
  return (["standin", "json-server"] as const).flatMap((server) =>
    KINDS.map(({ name }) => ({ kind: name, server, points: points.get(`${server} ${name}`)! })),
  );
}

async function measureSize(
  server: ServerName,
  data: string,
  size: number,
  plan: Plan,
  points: Map<string, Point[]>,
): Promise<void> {
  const isSlow = server === "json-server";
  const running = await startServer(server, data);
  try {
    for (const { name, requestsAt } of KINDS) {
      const load = {
        url: running.url,
        requests: requestsAt(size),
        connections: isSlow ? 2 : plan.connections,
        warmUpSeconds: isSlow || name === "POST" ? 0.2 : plan.warmUpSeconds,
        seconds: isSlow ? 0.5 : plan.seconds / 2,
      };
      const results: Omit<Point, "size">[] = [];
      for (let round = 0; round < (isSlow ? 1 : plan.rounds); round++) {
        let before = Number.NaN;
        const { medianMs, answered } = await putLoadOn(round === 0 ? load : { ...load, warmUpSeconds: 0.1 }, () => {
          before = running.cpuSeconds();
        });
        results.push({ medianMs, cpuMs: ((running.cpuSeconds() - before) * 1000) / answered });
      }
      const medianMs = median(results.map((result) => result.medianMs));
      const cpuMs = median(results.map((result) => result.cpuMs));
      say(`${size} records, ${server}, ${name}: ${medianMs.toFixed(2)} ms, ${(cpuMs * 1000).toFixed(0)} µs of CPU`);
      const key = `${server} ${name}`;
      points.set(key, [...(points.get(key) ?? []), { size, medianMs, cpuMs }]);
    }
  } finally {
    await running.stop();
  }
}

/** Products of which `MATCHES` refer to each company, and no companies. */
function writeProducts(file: string, size: number): void {
  const handle = openSync(file, "w");
  const companies = size / MATCHES;
  writeSync(handle, '{"products":[');
  for (let from = 1; from <= size; from += 10_000) {
    let text = "";
    for (let id = from; id < Math.min(from + 10_000, size + 1); id++) {
      // A stride without a common factor spreads the values over all ids.
      const price = ((id * 7919) % 99_991) / 100;
      const product = { id, name: `Rustic Wooden Chair ${id}`, price, company_id: 1 + ((id * 7919) % companies) };
      text += `${id === 1 ? "" : ",\n"}${JSON.stringify(product)}`;
    }
    writeSync(handle, text);
  }
  writeSync(handle, "]}\n");
  closeSync(handle);
}
