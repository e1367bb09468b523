import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { endProcess } from "./child.ts";
import type { DataFiles } from "./data.ts";
import { putLoadOn } from "./load.ts";
import { type Plan, say } from "./plan.ts";
import { type LoadRequest, newProducts, oneOf, pages } from "./requests.ts";
import { type Running, startServer } from "./servers.ts";
import { median } from "./statistics.ts";

const DATA = { products: 10_000, companies: 100 };
/** Between rounds: both were warm before. */
const REWARM_SECONDS = 0.2;
const PROCESS = resolve("bench/fetch-process.mjs");

const KINDS: Readonly<Record<string, readonly LoadRequest[]>> = {
  "GET one record": oneOf(DATA.products),
  "page of 100": pages(DATA.products, 100),
  "sorted page of 10": pages(DATA.products, 10, "&_sort=price"),
  POST: newProducts(DATA.companies),
};

export interface FetchCost {
  readonly kind: string;
  /** CPU time for one request. */
  readonly socketMicroseconds: number;
  readonly fetchMicroseconds: number;
  /** With making the request and reading the response, which is the platform's work. */
  readonly wholeMicroseconds: number;
  /** The median of rounds. */
  readonly ratio: number;
}

/** The CPU time of `api.fetch` beside that of the server. */
export async function measureFetchCosts(files: DataFiles, plan: Plan): Promise<FetchCost[]> {
  const costs: FetchCost[] = [];
  for (const [kind, requests] of Object.entries(KINDS)) {
    const server = await startServer("standin", files.generated(DATA), { setup: { standin: { memory: true } } });
    const child = fork(PROCESS, [files.generated(DATA)]);
    try {
      await once(child, "message");
      costs.push({ kind, ...(await compare(server, child, requests, plan)) });
      say(`without a server: ${JSON.stringify(costs.at(-1))}`);
    } finally {
      await endProcess(child);
      await server.stop();
    }
  }
  return costs;
}

async function compare(
  server: Running,
  child: ChildProcess,
  requests: readonly LoadRequest[],
  { rounds, connections, warmUpSeconds: firstSeconds, seconds }: Plan,
): Promise<Omit<FetchCost, "kind">> {
  const socket: number[] = [];
  const fetch: { readonly fetch: number; readonly whole: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const warmUpSeconds = round === 0 ? firstSeconds : REWARM_SECONDS;
    child.send({ requests, warmUpSeconds, seconds });
    fetch.push((await once(child, "message"))[0]);
    let before = Number.NaN;
    const { answered } = await putLoadOn({ url: server.url, requests, connections, warmUpSeconds, seconds }, () => {
      before = server.cpuSeconds();
    });
    socket.push(((server.cpuSeconds() - before) / answered) * 1e6);
  }
  return {
    socketMicroseconds: median(socket),
    fetchMicroseconds: median(fetch.map((cost) => cost.fetch)),
    wholeMicroseconds: median(fetch.map((cost) => cost.whole)),
    ratio: median(fetch.map((cost, round) => cost.fetch / socket[round]!)),
  };
}
