import { type IncomingMessage, METHODS, type ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { type Parameters, parseParameters } from "../query/parameters.ts";

/** A path and a query string, both as they stand in an address. */
export interface Target {
  readonly path: string;
  /** Without the question mark; empty for none. */
  readonly search: string;
}

const KNOWN_METHODS = new Set(METHODS);
/** What may stand in a Host header that we repeat in Location and Link. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/;

/** One request on its way to its answer. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** As the client sent it. */
  readonly client: Target;
  /** What it means here: the client's target after the rewrite rules. */
  target: Target;
  readonly #trustProxy: boolean;
  #parameters: Parameters | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, trustProxy: boolean) {
    this.req = req;
    this.res = res;
    this.method = effectiveMethod(req);
    this.client = parseTarget(req.url ?? "/");
    this.target = this.client;
    this.#trustProxy = trustProxy;
  }

  /** The parameters of the rewritten address; ask only after rewriting. */
  get parameters(): Parameters {
    this.#parameters ??= parseParameters(this.target.search);
    return this.#parameters;
  }

  get isRead(): boolean {
    return this.method === "GET" || this.method === "HEAD";
  }

  /** Scheme and host under which the client reached us, such as `http://localhost:3000`. */
  get origin(): string {
    const { headers, socket } = this.req;
    const forwardedScheme = this.#trustProxy ? firstOf(headers["x-forwarded-proto"]) : undefined;
    const forwardedHost = this.#trustProxy ? firstOf(headers["x-forwarded-host"]) : undefined;
    const isSecure = forwardedScheme ? forwardedScheme === "https" : (socket as TLSSocket).encrypted;
    const scheme = isSecure ? "https" : "http";
    const host = forwardedHost ?? headers.host;
    if (host !== undefined && HOST.test(host)) return `${scheme}://${host}`;
    const address = socket.localFamily === "IPv6" ? `[${socket.localAddress}]` : (socket.localAddress ?? "localhost");
    return `${scheme}://${address}:${socket.localPort}`;
  }
}

/** `X-HTTP-Method-Override` turns a POST into another method, as in 0.17. */
function effectiveMethod(req: IncomingMessage): string {
  const method = req.method ?? "GET";
  if (method !== "POST") return method;
  const wanted = firstOf(req.headers["x-http-method-override"])?.toUpperCase();
  return wanted !== undefined && KNOWN_METHODS.has(wanted) ? wanted : method;
}

/** Reads a request target; the absolute form (RFC 9112, 3.2.2) loses its scheme and host. */
export function parseTarget(url: string): Target {
  const relative = url.startsWith("/") ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, "");
  const question = relative.indexOf("?");
  const path = question === -1 ? relative : relative.slice(0, question);
  return {
    path: path.startsWith("/") ? path : `/${path}`,
    search: question === -1 ? "" : relative.slice(question + 1),
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  const first = text?.split(",", 1)[0]?.trim();
  return first === "" ? undefined : first;
}
