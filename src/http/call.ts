import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Eventually } from "../base/eventually.ts";
import type { Json } from "../base/json/json.ts";
import type { Buffer } from "../base/platform/buffer.ts";
import { METHODS } from "../base/platform/runtime.ts";
import type { Client } from "../base/wait.ts";
import { WorkAccount } from "../base/work-account.ts";
import type { LayerRequest } from "../layers/layer.ts";
import type { Parameters } from "../query/parameters.ts";
import { parseParameters } from "../query/parse-query.ts";
import { readBody } from "./body/body.ts";
import type { BodySource, SentBody } from "./body/body-source.ts";
import { keepBody, readBodyText } from "./body/body-text.ts";
import { type Preferences, parsePreferences } from "./preferences.ts";
import type { ServiceSettings } from "./settings.ts";

/** A path and a query string, both as they stand in an address. */
export interface Target {
  readonly path: string;
  /** Without the question mark; empty for none. */
  readonly search: string;
  /** A rewrite rule has used the query up: it is there for the route, but not in the address that others see. */
  readonly isQuerySpent?: true;
  /** A rewrite rule has put parameters of its own into the query. */
  readonly hasQueryOfRule?: true;
}

/** The address as rewrite rules, layers and interceptors see it. */
export function visibleUrl({ path, search, isQuerySpent }: Target): string {
  return search === "" || isQuerySpent ? path : `${path}?${search}`;
}

/** Whether a path can only be one of our own routes. They send no JSONP, which pages of every origin can load. */
export function isOwnPath(path: string): boolean {
  return path.startsWith("/__");
}

/** A fault that a request met, made on purpose. */
export interface MetFault {
  /** The id of its rule; undefined for `Prefer: code=503`. */
  readonly id: string | undefined;
  readonly fault: { readonly fault: string; readonly status?: number };
  /** How long it kept the response back, for a latency. */
  readonly delayMs: number;
}

export type RequestHeaders = IncomingHttpHeaders;
export type SentHeaders = readonly string[] | OutgoingHttpHeaders;
export type CallSettings = Pick<ServiceSettings, "trustProxy" | "queryBudgetMs" | "maxBodyBytes" | "bodies">;

/** Names the session of an agent whose tools send the request. */
export const AGENT_HEADER = "x-standin-agent";
/** On webhooks: how many of them led to it, one after the other. */
export const DEPTH_HEADER = "x-standin-depth";
const MAX_DEPTH = 1000;

const NO_HEADERS: SentHeaders = [];
/** Not every version of Node that we run on knows QUERY (RFC 10008). */
const KNOWN_METHODS = new Set([...METHODS, "QUERY"]);
const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i;
/** A name is shown in lists and terminals, so it is short and of one line. */
const MAX_NAME = 100;
/** Host headers that are safe to repeat in Location and Link. */
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/;

/**
 * A request on its way through the pipeline, and the facts of its response. It knows no transport: a subclass says where
 * it comes from, a socket (`NodeCall`), a `Request` of the web (`FetchCall`), or this process (`LocalCall`).
 */
export abstract class Call implements Client, LayerRequest, BodySource {
  readonly headers: RequestHeaders;
  method: string;
  /** The address exactly as the client sent it. */
  readonly sentUrl: string;
  /** As the client sent it, below the prefix of a sandbox. */
  client: Target;
  /** The client's target after the rewrite rules. */
  target: Target;
  /** The name of the sandbox it is served from; undefined for the shared data. */
  sandbox: string | undefined;
  /** The path that the whole service is mounted at, such as `/api`; empty for the root. */
  base = "";
  /** The part of the address in front of the path: the base, and what names a sandbox; empty for none. */
  prefix = "";
  /** The moment of the past that it reads, as it was named; undefined for the present. */
  moment: string | undefined;
  /** Whether a program vouches for it, so that the guards of our own routes let it pass. */
  isTrusted = false;
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
  /** Why it was refused, for the log: the body of the response may have no place for it. */
  refusal: string | undefined;
  /** The faults that it met; undefined for none. */
  faults: readonly MetFault[] | undefined;
  /** The version of the data that it has made; undefined for none. */
  madeVersion: number | undefined;
  /** The status of the response; 0 until it is sent, and where none is. */
  sentStatus = 0;
  /** The headers of the response: names and values in turn, or as Node keeps them. */
  sentHeaders: SentHeaders = NO_HEADERS;
  /** The body of the response where that is text. */
  sentText: string | undefined;
  /** The length of the body, once that is known. */
  sentBytes: number | undefined;
  /** The body of the request as far as it was read. */
  sentBody: SentBody | undefined;
  keptBytes: Buffer | undefined;
  user: unknown;
  credentialName: string | undefined;
  query: unknown;
  isWriteOnly: boolean | undefined;
  isAdmitted: true | undefined;
  /** Hot path: only public requests have it. */
  declare isPublic?: true;
  demandCredentials: LayerRequest["demandCredentials"];
  expectAdmitted: LayerRequest["expectAdmitted"];
  countGuess: LayerRequest["countGuess"];
  protected readonly settings: CallSettings;
  #account: WorkAccount | undefined;
  #givenJson: { readonly body: Json | undefined } | undefined;
  #seenUrl: string | undefined;
  #parameters: Parameters | undefined;
  #origin: string | undefined;

  // Hot path: positions instead of an object that would be made for every request.
  constructor(method: string, url: string, headers: RequestHeaders, settings: CallSettings) {
    this.headers = headers;
    this.method = method === "POST" ? overriddenMethod(headers) : method;
    this.sentUrl = url;
    this.client = parseTarget(url);
    this.target = this.client;
    this.settings = settings;
  }

  /** Whether the client has gone. */
  abstract get hasLeft(): boolean;
  abstract onLeave(listener: () => void): void;
  abstract offLeave(listener: () => void): void;
  /** The address that the connection comes from. */
  abstract get remoteAddress(): string | undefined;
  /** Scheme and host of this server, for clients that name no host. */
  abstract localOrigin(scheme: string): string;
  abstract get isEncrypted(): boolean;
  /** The headers as they were sent: names and values in turn. */
  abstract get rawHeaders(): readonly string[];
  abstract givenBody(): unknown;
  abstract get isBodyRead(): boolean;
  abstract readBytes(maxBytes: number): Promise<Buffer>;
  /** The body as it arrives; undefined where it is no stream of bytes. */
  abstract stream(): AsyncIterable<Uint8Array> | undefined;
  /** Waits for the rest of the request. */
  abstract drain(): Promise<void>;

  readOther(): Promise<Json | undefined> | undefined {
    return this.settings.bodies?.read(this);
  }

  admitFiles(body: Json): Eventually<Json> {
    return this.settings.bodies?.admit(this, body) ?? body;
  }

  /** The body as JSON; undefined for none. At once where it was given as JSON. Throws a 4xx that says what to change. */
  body(): Eventually<Json | undefined> {
    return this.#givenJson ? this.#givenJson.body : readBody(this, this.settings.maxBodyBytes);
  }

  /** The body that it was given as JSON; undefined for none. */
  protected get givenJson(): Json | undefined {
    return this.#givenJson?.body;
  }

  /** Gives it a body that is JSON already, in place of any other. */
  giveBody(body: Json | undefined): void {
    this.#givenJson = { body };
  }

  /** Reads the body and keeps it, for several readers. */
  keepBody(): Promise<void> {
    return keepBody(this, this.settings.maxBodyBytes);
  }

  /** The body as text, of any type; empty for none. */
  bodyText(): Promise<string> {
    return readBodyText(this, this.settings.maxBodyBytes);
  }

  /** Pays for the work of its query. */
  get account(): WorkAccount {
    this.#account ??= new WorkAccount(this.settings.queryBudgetMs, this);
    return this.#account;
  }

  /** The address that layers judge: after the rewrite rules. */
  get url(): string {
    if (this.#seenUrl !== undefined) return this.#seenUrl;
    const url = visibleUrl(this.target);
    // No address may hold these as they are; Express would look for a host in one that does, and miss its path.
    return /[#\s]/.test(url) ? url.replace(/[#\s]/g, encodeURIComponent) : url;
  }

  get clientPath(): string {
    return this.client.path;
  }

  get routeSearch(): string {
    return this.target.search;
  }

  /** The address of the client, as the proxy reports it where proxies are trusted. */
  get address(): string {
    const forwarded = this.settings.trustProxy ? firstOf(this.headers["x-forwarded-for"]) : undefined;
    return forwarded ?? this.remoteAddress ?? "unknown";
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

  /** The function of a page that wants its JSON passed to it; undefined for none. */
  get callback(): string | undefined {
    return this.target.search === "" ? undefined : this.parameters.get("callback")?.[0];
  }

  /** Shows layers the request as the interceptors in front of them have left it. */
  showAs(method: string, url: string, query: unknown): void {
    this.method = method;
    this.#seenUrl = url;
    this.query = query;
  }

  /** Takes over changes that interceptors made: another method or address, other parameters. */
  adopt(method: string, target: Target, parameters: Parameters | undefined): void {
    this.method = method;
    this.target = target;
    this.#parameters = parameters;
  }

  /** Takes the prefix of a sandbox off the address, so that later steps need not know of it. */
  enter(prefix: string): void {
    this.prefix += prefix;
    this.client = { path: this.client.path.slice(prefix.length) || "/", search: this.client.search };
    this.target = this.client;
  }

  /** The header `Prefer`; undefined for none. */
  get preferences(): Preferences | undefined {
    const { prefer } = this.headers;
    return prefer === undefined ? undefined : parsePreferences(prefer);
  }

  /** Whether names that are unknown are to be refused: `Prefer: handling=strict`. */
  get isStrict(): boolean {
    return this.preferences?.get("handling")?.toLowerCase() === "strict";
  }

  /** Whether the request says that it has a body. */
  get hasBody(): boolean {
    const { "content-length": length, "transfer-encoding": transfer } = this.headers;
    return transfer !== undefined || (length !== undefined && length !== "0");
  }

  get isRead(): boolean {
    return this.method === "GET" || this.method === "HEAD";
  }

  /** Whether the method promises to change nothing. */
  get isSafe(): boolean {
    return this.isRead || this.method === "QUERY" || this.method === "OPTIONS";
  }

  /** Whether the console sent it for itself: it reads and writes records as they are, and no fault is meant for it. */
  get isOfConsole(): boolean {
    return this.headers["x-standin-console"] !== undefined;
  }

  /**
   * The origin of its changes, for the history: the console, an agent, the name of the key or user that a guard admitted,
   * or else the client's address. Never a key itself.
   */
  get changedBy(): string {
    const agent = this.headers[AGENT_HEADER];
    if (agent !== undefined) return `agent:${nameIn(String(agent))}`;
    if (this.isOfConsole) return "console";
    const name = this.credentialName ?? userName(this.user);
    return (name && nameIn(name)) || shownAddress(this.address);
  }

  /** How many webhooks led to its changes: two servers that post to each other would never end. */
  get depth(): number | undefined {
    const sent = this.headers[DEPTH_HEADER];
    return sent === undefined ? undefined : Math.min(Math.max(Math.floor(Number(sent)) || 0, 0), MAX_DEPTH);
  }

  /** Scheme and host under which the client reached us, such as `http://localhost:3000`. */
  get origin(): string {
    this.#origin ??= this.#findOrigin();
    return this.#origin;
  }

  #findOrigin(): string {
    const { headers } = this;
    const { trustProxy } = this.settings;
    const forwardedScheme = trustProxy ? firstOf(headers["x-forwarded-proto"]) : undefined;
    const forwardedHost = trustProxy ? firstOf(headers["x-forwarded-host"]) : undefined;
    const isSecure = forwardedScheme ? forwardedScheme === "https" : this.isEncrypted;
    const scheme = this.scheme ?? (isSecure ? "https" : "http");
    const host = forwardedHost ?? headers.host;
    return host !== undefined && isSafeHost(host) ? `${scheme}://${host}` : this.localOrigin(scheme);
  }

  /** The start of every URL in a response. */
  get baseUrl(): string {
    return `${this.origin}${this.prefix}`;
  }
}

/** Clients repeat their address, so that the latest one needs no second look. */
function shownAddress(address: string): string {
  if (address === latestAddress.sent) return latestAddress.shown;
  const shown = address === "unknown" ? "program" : nameIn(address.replace(IPV4_IN_IPV6, ""));
  latestAddress = { sent: address, shown };
  return shown;
}

let latestAddress = { sent: "", shown: "" };

function userName(user: unknown): string | undefined {
  if (typeof user !== "object" || user === null) return undefined;
  const { name, email, id } = user as { readonly name?: unknown; readonly email?: unknown; readonly id?: unknown };
  const found = [name, email].find((one) => typeof one === "string" && one !== "");
  return found === undefined ? (id === undefined ? undefined : `user ${String(id)}`) : String(found);
}

function nameIn(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME);
}

/** Clients repeat their host, so that the latest safe one needs no second test. */
function isSafeHost(host: string): boolean {
  if (host === latestSafeHost) return true;
  if (!HOST.test(host)) return false;
  latestSafeHost = host;
  return true;
}

let latestSafeHost: string | undefined;

/** `X-HTTP-Method-Override` turns a POST into another method, as in 0.17. */
function overriddenMethod(headers: RequestHeaders): string {
  const wanted = firstOf(headers["x-http-method-override"])?.toUpperCase();
  // A client that sent a POST waits for the body that Content-Length promises, so HEAD cannot be requested this way.
  if (wanted === "HEAD") return "GET";
  return wanted !== undefined && KNOWN_METHODS.has(wanted) ? wanted : "POST";
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
