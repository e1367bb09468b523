import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { askUpstream } from "../../../src/features/record/drift/ask-upstream.ts";
import { Upstream } from "../../../src/features/record/proxy/upstream.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import { afterEachFile } from "../../support/leftovers.ts";

export interface MovingReply {
  status: number;
  type: string;
  body: Json;
}

export type Change = (reply: MovingReply, path: string) => unknown;

/** An API whose times and counts move with every response, and whose shape a test can change. */
export interface MovingApi {
  readonly url: string;
  /** The methods and addresses that were asked. */
  readonly asked: string[];
  change: Change;
}

const product = (id: number, at: string): JsonObject => ({
  id,
  name: `Product ${id}`,
  price: id * 2.5,
  status: id % 2 === 0 ? "open" : "closed",
  tags: ["a", "b"],
  maker: { id: 1, country: "DE" },
  note: id === 1 ? null : "x",
  parts: [{ code: "p", size: 1 }],
  updated_at: at,
});
const company = (id: number): JsonObject => ({ id, name: `Company ${id}`, address: { city: "Rome", zip: "1" } });
const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

function bodyOf(path: string, moment: number): Json | undefined {
  const at = new Date(Date.UTC(2026, 0, 1) + moment * 61_000).toISOString();
  const [, collection, id] = path.split("/");
  if (path === "/products") return { data: IDS.map((one) => product(one, at)), meta: { total: 12, at } };
  if (collection === "products" && IDS.includes(Number(id))) return { data: product(Number(id), at) };
  if (path === "/companies") return IDS.map(company);
  if (collection === "companies" && IDS.includes(Number(id))) return company(Number(id));
  if (path.startsWith("/stats")) return { count: moment, by: { day: moment / 2, hour: 1 }, generated: at };
  if (path === "/health") return "up";
  return undefined;
}

export async function startMovingApi(): Promise<MovingApi> {
  let moment = 0;
  const asked: string[] = [];
  const api: { url: string; asked: string[]; change: Change } = { url: "", asked, change: () => {} };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const [path = ""] = (request.url ?? "").split("?");
    const body = bodyOf(path, ++moment);
    const isText = typeof body === "string";
    const reply: MovingReply =
      body === undefined
        ? { status: 404, type: "application/json", body: { error: "none" } }
        : { status: 200, type: isText ? "text/plain" : "application/json", body };
    api.change(reply, path);
    response.writeHead(reply.status, { "content-type": reply.type });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterEachFile(() => {
    server.closeAllConnections();
    server.close();
  });
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return api;
}

/** The traffic of somebody who looks at everything. */
export async function browse({ url }: Pick<MovingApi, "url">): Promise<Exchange[]> {
  const ask = askUpstream(new Upstream({ address: url, option: "drift" }));
  const addresses = ["/products", "/companies", "/health", "/products/1", "/products/2", "/products/3"];
  const more = ["/companies/1", "/companies/2", "/companies/3", "/stats", "/stats?day=1", "/stats?day=2"];
  const seen: Exchange[] = [];
  for (const address of [...addresses, ...more]) seen.push(await ask(address));
  return seen;
}
