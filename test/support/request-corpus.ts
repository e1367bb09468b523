import { once } from "node:events";
import { type IncomingMessage, request as requestOverHttp } from "node:http";
import { text } from "node:stream/consumers";

/** A request of the corpus. `{tag}` in a header stands for the latest ETag. */
interface CorpusRequest {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it stands, anything else as JSON. */
  readonly body?: unknown;
}

const JSON_PATCH = { "Content-Type": "application/json-patch+json" };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** Requests of every kind, whose responses must not depend on how they arrive. They build on each other. */
export const CORPUS: readonly CorpusRequest[] = [
  { line: "GET /" },
  { line: "GET /db" },
  { line: "GET /products" },
  { line: "GET /products/1" },
  { line: "GET /products/1", headers: { "If-None-Match": "{tag}" } },
  { line: "HEAD /products" },
  { line: "OPTIONS /products" },
  { line: "OPTIONS /products", headers: { Origin: "http://page.test", "Access-Control-Request-Method": "PUT" } },
  { line: "GET /products", headers: { Origin: "http://page.test" } },
  { line: "GET /products?_page=2&_limit=5" },
  { line: "GET /products?_start=2&_end=4" },
  { line: "GET /products?_sort=-price,name&_fields=name,price" },
  { line: "GET /products?price:gt=10&name:contains=e" },
  { line: "GET /products?name_like=^Steel.*Hat" },
  { line: "GET /products?q=lamp" },
  { line: "GET /products?_expand=company&_limit=2" },
  { line: "GET /companies?_embed=products" },
  { line: "GET /companies/1/products" },
  { line: "GET /products?_group=company_id&_aggregate=count,avg:price" },
  { line: "GET /products?callback=show&_limit=1" },
  { line: "GET /products?_page=x" },
  { line: "GET /products?nothing=1", headers: { Prefer: "handling=strict" } },
  { line: "GET /products/99" },
  { line: "GET /nothing" },
  { line: "GET /a/b/c/d" },
  { line: "PUT /products", body: {} },
  { line: "POST /products", body: { name: "Größe ✓", price: 1 } },
  { line: "POST /products", body: [{ name: "One" }, { name: "Two" }] },
  { line: "POST /products", body: "name=Form&price=2", headers: FORM },
  { line: "POST /products", body: "{" },
  { line: "POST /products", body: "text", headers: { "Content-Type": "text/plain" } },
  { line: "POST /products", body: { id: 1 } },
  { line: "POST /products", body: { name: "Once" }, headers: { "Idempotency-Key": "key-1" } },
  { line: "POST /products", body: { name: "Once" }, headers: { "Idempotency-Key": "key-1" } },
  { line: "POST /products", body: { name: "Trial" }, headers: { Prefer: "tx=rollback" } },
  { line: "PUT /products/1", body: { name: "Cap" } },
  { line: "PATCH /products/1", body: { price: 3 }, headers: { "If-Match": "{tag}" } },
  { line: "PATCH /products/1", body: { price: 4 }, headers: { "If-Match": '"old"' } },
  { line: "PATCH /products/2", body: [{ op: "remove", path: "/price" }], headers: JSON_PATCH },
  { line: "PATCH /products?price:gt=90", body: { isDear: true } },
  { line: "DELETE /products/2" },
  { line: "POST /products/3", body: {}, headers: { "X-HTTP-Method-Override": "PATCH" } },
  {
    line: "POST /__batch",
    body: {
      requests: [
        { method: "POST", path: "/companies", body: { name: "New" }, as: "made" },
        { method: "POST", path: "/products", body: { company_id: "{{made.id}}" } },
      ],
    },
  },
  { line: "GET /products", headers: { Prefer: "code=503" } },
  { line: "POST /__faults", body: { fault: "status", status: 418, path: "/companies", count: 1 } },
  { line: "GET /companies" },
  { line: "POST /__sandboxes", body: { name: "one" } },
  { line: "POST /__sandbox/one/products", body: { name: "In a sandbox" } },
  { line: "GET /products?_sort=-id&_limit=1", headers: { "X-Standin-Sandbox": "one" } },
  { line: "POST /__snapshots__", body: { name: "kept" } },
  { line: "GET /__types" },
  { line: "GET /__rules" },
  { line: "POST /__reset", headers: { Origin: "http://page.test" }, body: {} },
  { line: "POST /__reset", body: {} },
  { line: "GET /products?_limit=1" },
];

/** The parts of a response that a client can see. */
export interface SeenResponse {
  readonly line: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface CorpusResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export type Transport = (line: string, headers: Record<string, string>, body?: string) => Promise<CorpusResponse>;

/** Added by sockets. */
const OF_SOCKETS = ["date", "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"];

/** Sends the corpus; the responses, without what chance and time decide. */
export async function sendCorpus(send: Transport): Promise<SeenResponse[]> {
  const seen: SeenResponse[] = [];
  let tag = "";
  for (const { line, headers = {}, body } of CORPUS) {
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const sent = Object.entries({ ...type, ...headers }).map(([name, value]) => [name, value.replace("{tag}", tag)]);
    const written = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await send(line, Object.fromEntries(sent), written);
    tag = response.headers.get("etag") ?? tag;
    const kept = [...response.headers].filter(([name]) => !OF_SOCKETS.includes(name));
    const shown = kept.map(([name, value]) => withoutChance(`${name}: ${value}`));
    seen.push({ line, status: response.status, headers: shown, body: withoutChance(response.body) });
  }
  return seen;
}

/** Tags name the load of the data, and sandboxes live in real time. */
function withoutChance(text: string): string {
  return text
    .replace(/"\w{7}(?=(?:\.\d+)+\\?")/g, '"epoch')
    .replace(/"(created|expires)_at":"20\d\d-[^"]*"/g, '"$1_at":"time"');
}

/** Over a socket, under the name that every address of the corpus begins with; below a path, if one is given. */
export function overHttp(port: number, base = ""): Transport {
  return async (line, headers, body) => {
    const [method, below] = line.split(" ");
    const path = `${base}${below}`;
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const options = { port, host: "127.0.0.1", method, path, headers: { Host: "localhost", ...length, ...headers } };
    const sending = requestOverHttp(options);
    sending.end(body);
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    const received = new Headers();
    const { rawHeaders } = response;
    for (let at = 0; at < rawHeaders.length; at += 2) received.append(rawHeaders[at]!, rawHeaders[at + 1]!);
    return { status: response.statusCode!, headers: received, body: await text(response) };
  };
}

/** By a function that is like `fetch`. */
export function byFetch(fetch: (request: Request) => Promise<Response>): Transport {
  return async (line, headers, body) => {
    const [method, path] = line.split(" ");
    const init = { method: method!, headers, ...(body !== undefined && { body }) };
    const response = await fetch(new Request(`http://localhost${path}`, init));
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
}
