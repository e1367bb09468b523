import type { DataFiles } from "./data.ts";
import { say } from "./plan.ts";
import { byTwoWords } from "./requests.ts";
import { startServer } from "./servers.ts";

/** How often a warm request is repeated; the fastest counts. */
const REPEATS = 50;
const CURSOR_PAGE = 1000;
/** The longest that the first search after a start, and the second, may take. */
const MAX_SEARCH_MS = 800;

export interface QueryCost {
  readonly query: string;
  readonly firstMs: number;
  /** The fastest of many. */
  readonly laterMs: number;
  readonly maxFirstMs?: number;
}

/** The cost of queries whose price depends on more than the size of their response. */
export async function measureQueryCosts(files: DataFiles): Promise<QueryCost[]> {
  return [...(await groupCosts(files)), ...(await cursorCosts(files)), ...(await searchCosts(files))];
}

type Ask = (path: string) => Promise<{ ms: number; link: string | null }>;

async function withServer<T>(files: DataFiles, products: number, use: (ask: Ask) => Promise<T>): Promise<T> {
  const server = await startServer("standin", files.generated({ products, companies: 1000 }), {});
  try {
    return await use(async (path) => {
      const startedAt = performance.now();
      const response = await fetch(`${server.url}${path}`);
      await response.arrayBuffer();
      return { ms: performance.now() - startedAt, link: response.headers.get("link") };
    });
  } finally {
    await server.stop();
  }
}

function groupCosts(files: DataFiles): Promise<QueryCost[]> {
  return withServer(files, 100_000, async (ask) => {
    await ask("/products/1");
    const path = "/products?_group=company_id&_aggregate=count,sum:price,avg:price";
    return [await measure(ask, "groups of 100,000 records", path)];
  });
}

/** A page far behind must cost what the first one costs. */
function cursorCosts(files: DataFiles): Promise<QueryCost[]> {
  return withServer(files, 1_000_000, async (ask) => {
    const first = "/products?_sort=price&_limit=20&_after=";
    const costs = [await measure(ask, "cursor page 1 of 1,000,000 records", first)];
    let path = first;
    for (let page = 1; page < CURSOR_PAGE; page++) path = nextPath((await ask(path)).link);
    costs.push(await measure(ask, `cursor page ${CURSOR_PAGE} of 1,000,000 records`, path));
    return costs;
  });
}

/** The first search after a start, and the fastest of later ones: each is for a text that was not searched before. */
async function searchCosts(files: DataFiles): Promise<QueryCost[]> {
  const costs: QueryCost[] = [];
  for (const products of [100_000, 1_000_000]) {
    const paths = [...new Set(byTwoWords().map(({ path }) => `${path}&_limit=20`))].slice(0, REPEATS + 2);
    const query = `first search after start, ${products.toLocaleString("en")} records`;
    costs.push(...(await withServer(files, products, (ask) => measureEach(ask, query, paths))));
  }
  return costs;
}

/** The second request waits for the index, which is built beside the first. */
async function measureEach(
  ask: Ask,
  query: string,
  [first = "", second = "", ...more]: string[],
): Promise<QueryCost[]> {
  const { ms: firstMs } = await ask(first);
  const { ms: secondMs } = await ask(second);
  let laterMs = Number.POSITIVE_INFINITY;
  for (const path of more) laterMs = Math.min(laterMs, (await ask(path)).ms);
  say(`${query}: first ${firstMs.toFixed(0)} ms, second ${secondMs.toFixed(0)} ms, later ${laterMs.toFixed(2)} ms`);
  const cost = { laterMs, maxFirstMs: MAX_SEARCH_MS };
  return [
    { query, firstMs, ...cost },
    { query: query.replace("first", "second"), firstMs: secondMs, ...cost },
  ];
}

function nextPath(link: string | null): string {
  const { pathname, search } = new URL(/<([^>]*)>/.exec(link ?? "")?.[1] ?? "");
  return `${pathname}${search}`;
}

async function measure(ask: Ask, query: string, path: string): Promise<QueryCost> {
  const { ms: firstMs } = await ask(path);
  let laterMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < REPEATS; time++) laterMs = Math.min(laterMs, (await ask(path)).ms);
  say(`${query}: first ${firstMs.toFixed(2)} ms, later ${laterMs.toFixed(2)} ms`);
  return { query, firstMs, laterMs };
}
