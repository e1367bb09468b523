import { createHash } from "node:crypto";
import { type IncomingMessage, METHODS, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { DEFAULT_BUDGET_MS, WorkAccount } from "../base/work-account.ts";
import { type Parameters, parseParameters } from "../query/parameters.ts";

/** A path and a query string, both as they stand in an address. */
export interface Target {
  readonly path: string;
  /** Without the question mark; empty for none. */
  readonly search: string;
  /** A rewrite rule has used the query up: it is there for the route, but not in the address that others see. */
  readonly isQuerySpent?: true;
}

/** The address as rewrite rules, layers and interceptors see it. */
export function visibleUrl({ path, search, isQuerySpent }: Target): string {
  return search === "" || isQuerySpent ? path : `${path}?${search}`;
}

/** A fault that a request met, made on purpose. */
export interface MetFault {
  /** The id of its rule; undefined for `Prefer: code=503`. */
  readonly id: string | undefined;
  readonly fault: { readonly fault: string; readonly status?: number };
  /** How long it kept the response back, for a latency. */
  readonly delayMs: number;
}

export type SentHeaders = readonly string[] | OutgoingHttpHeaders;

const NO_HEADERS: SentHeaders = [];
/** Not every version of Node that we run on knows QUERY (RFC 10008). */
const KNOWN_METHODS = new Set([...METHODS, "QUERY"]);
/** Host headers that are safe to repeat in Location and Link. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/;

/** A request on its way to its response, and what was sent in the end. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  method: string;
  /** The address exactly as the client sent it. */
  readonly url: string;
  /** As the client sent it, below the prefix of a sandbox. */
  client: Target;
  /** The client's target after the rewrite rules. */
  target: Target;
  /** The name of the sandbox it is served from; undefined for the shared data. */
  sandbox: string | undefined;
  /** The part of the address in front of the path: names a sandbox, or the place of a router; empty for none. */
  prefix = "";
  /** The scheme of the client's address, where Express has found it: an app may trust its proxy. */
  scheme: "http" | "https" | undefined;
  /** Tells bodies with parameters apart; empty without one. */
  bodyMark = "";
  /** Response headers that layers set: names and values in turn. */
  layerHeaders: readonly string[] | undefined;
  /** The value of a `Warning` header for the response, whatever that will be. */
  warning: string | undefined;
  readonly startedAt = performance.now();
  /** The sender of the response: a layer, an interceptor's file, `static`, `fault`, or else a route. */
  answeredBy = "route";
  /** The faults that it met; undefined for none. */
  faults: readonly MetFault[] | undefined;
  /** The status of the response; 0 until it is sent, and where none is. */
  sentStatus = 0;
  /** The headers of the response: names and values in turn, or as Node keeps them. */
  sentHeaders: SentHeaders = NO_HEADERS;
  /** The body of the response where that is text. */
  sentText: string | undefined;
  /** The length of the body, once that is known. */
  sentBytes: number | undefined;
  /** The CPU time that evaluating its query may take; 0 is no limit. */
  readonly #budgetMs: number;
  readonly #trustProxy: boolean;
  #account: WorkAccount | undefined;
  #parameters: Parameters | undefined;
  #origin: string | undefined;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    trustProxy: boolean,
    budget: number | WorkAccount = DEFAULT_BUDGET_MS,
  ) {
    const { url = "/" } = req;
    this.req = req;
    this.res = res;
    this.method = effectiveMethod(req);
    this.url = url;
    this.client = parseTarget(url);
    this.target = this.client;
    this.#trustProxy = trustProxy;
    this.#budgetMs = typeof budget === "number" ? budget : 0;
    this.#account = typeof budget === "number" ? undefined : budget;
  }

  /** Pays for the work of its query; the requests of a batch share one. */
  get account(): WorkAccount {
    this.#account ??= new WorkAccount(this.#budgetMs, this);
    return this.#account;
  }

  /** The parameters of the rewritten address; ask only after rewriting. */
  get parameters(): Parameters {
    this.#parameters ??= parseParameters(this.target.search);
    return this.#parameters;
  }

  /** Whether there are any, without reading what is not there. */
  get hasParameters(): boolean {
    return this.#parameters ? this.#parameters.size > 0 : this.target.search !== "";
  }

  /** Takes over changes that interceptors made: another method or address, other parameters. */
  adopt(method: string, target: Target, parameters: Parameters | undefined): void {
    this.method = method;
    this.target = target;
    this.#parameters = parameters;
  }

  /** Adds parameters that the body of the request holds; those of the address come first. */
  addParameters(added: Parameters): void {
    this.bodyMark = createHash("sha256")
      .update(JSON.stringify([...added]))
      .digest("base64url")
      .slice(0, 10);
    const parameters = new Map<string, readonly string[]>(this.parameters);
    for (const [name, values] of added) parameters.set(name, [...(parameters.get(name) ?? []), ...values]);
    this.#parameters = parameters;
  }

  /** Takes the prefix of a sandbox off the address, so that later steps need not know of it. */
  enter(prefix: string): void {
    this.prefix = prefix;
    this.client = { path: this.client.path.slice(prefix.length) || "/", search: this.client.search };
    this.target = this.client;
  }

  /** Whether the client has gone. A pipelined response has no socket yet, so the request's is checked, too. */
  get hasLeft(): boolean {
    return this.res.destroyed || this.req.socket.destroyed;
  }

  get isRead(): boolean {
    return this.method === "GET" || this.method === "HEAD";
  }

  /** Whether the method promises to change nothing. */
  get isSafe(): boolean {
    return this.isRead || this.method === "QUERY" || this.method === "OPTIONS";
  }

  /** Scheme and host under which the client reached us, such as `http://localhost:3000`. */
  get origin(): string {
    this.#origin ??= this.#findOrigin();
    return this.#origin;
  }

  #findOrigin(): string {
    const { headers, socket } = this.req;
    const forwardedScheme = this.#trustProxy ? firstOf(headers["x-forwarded-proto"]) : undefined;
    const forwardedHost = this.#trustProxy ? firstOf(headers["x-forwarded-host"]) : undefined;
    const isSecure = forwardedScheme ? forwardedScheme === "https" : (socket as TLSSocket).encrypted;
    const scheme = this.scheme ?? (isSecure ? "https" : "http");
    const host = forwardedHost ?? headers.host;
    if (host !== undefined && isSafeHost(host)) return `${scheme}://${host}`;
    const address = socket.localFamily === "IPv6" ? `[${socket.localAddress}]` : (socket.localAddress ?? "localhost");
    return `${scheme}://${address}:${socket.localPort}`;
  }

  /** Every host the request names: a page can add the header that a trusted proxy would, but not change its own. */
  get claimedHosts(): string[] {
    const { host, "x-forwarded-host": forwarded = [] } = this.req.headers;
    const hosts = this.#trustProxy
      ? [forwarded]
          .flat()
          .flatMap((one) => one.split(/[,\s]+/))
          .filter(Boolean)
      : [];
    // HTTP/1.0 may go without one, which no browser does.
    if (host !== undefined) hosts.push(host);
    return hosts;
  }

  /** The start of every URL in a response. */
  get baseUrl(): string {
    return `${this.origin}${this.prefix}`;
  }
}

/** Clients repeat their host, so that the latest safe one needs no second test. */
function isSafeHost(host: string): boolean {
  if (host === latestSafeHost) return true;
  if (!HOST.test(host)) return false;
  latestSafeHost = host;
  return true;
}

let latestSafeHost: string | undefined;

/** The address a request came from; as the proxy reports it where proxies are trusted. */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  return (trustProxy ? firstOf(headers["x-forwarded-for"]) : undefined) ?? socket.remoteAddress ?? "unknown";
}

/** `X-HTTP-Method-Override` turns a POST into another method, as in 0.17. */
function effectiveMethod(req: IncomingMessage): string {
  const method = req.method ?? "GET";
  if (method !== "POST") return method;
  const wanted = firstOf(req.headers["x-http-method-override"])?.toUpperCase();
  // A client that sent a POST waits for the body that Content-Length promises, so HEAD cannot be requested this way.
  if (wanted === "HEAD") return "GET";
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
