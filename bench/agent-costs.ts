import type { DataFiles } from "./data.ts";
import { type Plan, say } from "./plan.ts";
import { type Running, startServer } from "./servers.ts";
import { median } from "./statistics.ts";

/** Requests of a kind in a round: the system counts CPU time in hundredths of a second. */
const REQUESTS = 500;
const LEAST_ROUNDS = 5;
const REVISION = "2026-07-28";

export interface AgentCost {
  readonly call: string;
  /** CPU time of the server for one request, in milliseconds. */
  readonly requestMs: number;
  readonly callMs: number;
  /** The median of rounds. */
  readonly ratio: number;
}

export interface AgentCosts {
  /** The length of the response to `tools/list`, in characters. */
  readonly listed: number;
  readonly costs: readonly AgentCost[];
}

/** A tool call, and the request that it stands for. */
interface Pair {
  readonly name: string;
  readonly tool: string;
  readonly args: object;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}

const BATCH = {
  requests: Array.from({ length: 10 }, (_, at) => ({
    method: "PATCH",
    path: `/products/${at + 1}`,
    body: { price: at },
  })),
};

const PAIRS: readonly Pair[] = [
  { name: "query of one record", tool: "query", args: { path: "/products/7" }, method: "GET", path: "/products/7" },
  {
    name: "query of 50 records",
    tool: "query",
    args: { path: "/products?_sort=price" },
    method: "GET",
    path: "/products?_sort=price&_start=0&_limit=50",
  },
  { name: "write of 10 records", tool: "write", args: BATCH, method: "POST", path: "/__batch", body: BATCH },
];

/** The cost of tool calls over HTTP, in a session and without one, beside that of the requests they stand for, in the same sandbox. */
export async function measureAgentCosts(files: DataFiles, { rounds }: Plan): Promise<AgentCosts> {
  const server = await startServer("standin", files.generated({ products: 100, companies: 10 }), {
    setup: { standin: { memory: true } },
  });
  try {
    const agent = await connect(server);
    const listed = JSON.stringify((await agent.ask("tools/list", {})).result).length;
    const costs: AgentCost[] = [];
    for (const pair of PAIRS) {
      for (const [era, ask] of [
        ["", agent.ask],
        [", no session", agent.askWithoutSession],
      ] as const) {
        const cost = await compare(server, { ...agent, ask }, pair, Math.max(rounds, LEAST_ROUNDS));
        costs.push({ call: `${pair.name}${era}`, ...cost });
        say(`agents: ${JSON.stringify(costs.at(-1))}`);
      }
    }
    return { listed, costs };
  } finally {
    await server.stop();
  }
}

async function compare(server: Running, agent: Agent, pair: Pair, rounds: number): Promise<Omit<AgentCost, "call">> {
  const headers = { "Content-Type": "application/json", Prefer: "handling=strict, count=exact, sandbox=existing" };
  const request = (): Promise<unknown> =>
    sent(`${server.url}/__sandbox/${agent.sandbox}${pair.path}`, {
      method: pair.method,
      headers,
      ...(pair.body && { body: JSON.stringify(pair.body) }),
    });
  const call = (): Promise<unknown> => agent.ask("tools/call", { name: pair.tool, arguments: pair.args });
  const cost = async (one: () => Promise<unknown>): Promise<number> => {
    const before = server.cpuSeconds();
    for (let done = 0; done < REQUESTS; done++) await one();
    return ((server.cpuSeconds() - before) * 1000) / REQUESTS;
  };
  // Everything is compiled before it counts.
  for (const one of [request, call]) await cost(one);
  const measured: { readonly requestMs: number; readonly callMs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push({ requestMs: await cost(request), callMs: await cost(call) });
  }
  return {
    requestMs: median(measured.map(({ requestMs }) => requestMs)),
    callMs: median(measured.map(({ callMs }) => callMs)),
    ratio: median(measured.map(({ requestMs, callMs }) => callMs / requestMs)),
  };
}

type Ask = (method: string, params: object) => Promise<{ result: object }>;

interface Agent {
  readonly sandbox: string;
  readonly ask: Ask;
  /** Tool calls by the revision of the protocol that puts everything into each request. */
  readonly askWithoutSession: Ask;
}

async function connect({ url }: Running): Promise<Agent> {
  const clientInfo = { name: "bench", version: "1" };
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  let id = 0;
  const send = async (method: string, params: object, added: Record<string, string>): Promise<{ result: object }> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    return JSON.parse(await sent(`${url}/__mcp`, { method: "POST", headers: { ...headers, ...added }, body }));
  };
  const begun = await fetch(`${url}/__mcp`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    }),
  });
  await begun.text();
  const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
  const ask: Ask = (method, params) => send(method, params, session);
  const first = await ask("tools/call", { name: "query", arguments: { path: "/products/1" } });
  const [{ text }] = (first.result as { content: [{ text: string }] }).content;
  const { sandbox } = JSON.parse(text) as { sandbox: string };
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const askWithoutSession: Ask = (method, params) => {
    const { name, arguments: args } = params as { name: string; arguments: object };
    const named = { name, arguments: { ...args, sandbox }, _meta: envelope };
    return send(method, named, { "MCP-Protocol-Version": REVISION, "Mcp-Method": method, "Mcp-Name": name });
  };
  return { sandbox, ask, askWithoutSession };
}

async function sent(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
}
