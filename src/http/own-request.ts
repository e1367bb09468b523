import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Json } from "../base/json/json.ts";
import { giveBody } from "./body/body.ts";
import type { Service } from "./contract.ts";
import { DIALECT_HEADER } from "./dialect-header.ts";
import type { Exchange } from "./exchange.ts";
import { createHandler } from "./handler.ts";
import { judgingLayers } from "./judge.ts";

/** A request that the server sends itself on behalf of another one, such as the tool call of an agent. */
export interface OwnRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
}

export interface OwnResponse {
  /** 0 if the connection was dropped, by a fault. */
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends a request through the pipeline, with the credentials of `outer`. */
export type SendOwn = (outer: Exchange, request: OwnRequest) => Promise<OwnResponse>;

/** Headers that say nothing about requests on behalf of the one that has them. */
const OF_THE_OUTER: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "idempotency-key",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "origin",
  "prefer",
  "transfer-encoding",
  "x-http-method-override",
  "x-standin-sandbox",
]);

/**
 * Sends requests through the whole pipeline without a socket: guards, faults, read-only mode, routes, traffic log. Layers
 * that delay, count or log have met the outer request. Interceptors need a real request.
 */
export async function createOwnSender(service: Service): Promise<SendOwn> {
  const inner: Service = Object.defineProperty({ ...service, steps: judgingLayers(service) }, "rewriter", {
    // Replaced when the rewrite file is reloaded.
    get: () => service.rewriter,
    enumerable: true,
  });
  const handle = await createHandler(inner);
  return (outer, request) =>
    new Promise((resolve, reject) => {
      const response = new CapturedResponse(outer, resolve);
      const req = ownMessage(outer, request, () => response.drop());
      Promise.resolve(handle(req, response as unknown as ServerResponse)).catch(reject);
    });
}

function ownMessage(outer: Exchange, { method, path, headers, body }: OwnRequest, drop: () => void): IncomingMessage {
  const all: IncomingHttpHeaders = {};
  const rawHeaders: string[] = [];
  for (const name in outer.req.headers) if (!OF_THE_OUTER.has(name)) all[name] = outer.req.headers[name];
  all[DIALECT_HEADER] = "standin";
  for (const name in headers) {
    all[name] = headers[name];
    rawHeaders.push(name, headers[name]!);
  }
  const message = {
    method,
    url: path,
    headers: all,
    rawHeaders,
    httpVersion: "1.1",
    readableEnded: true,
    socket: new OwnSocket(outer.req.socket as TLSSocket, drop),
  };
  const req = message as unknown as IncomingMessage;
  giveBody(req, body);
  return req;
}

/** The part of a socket that the pipeline uses: addresses are those of the outer request. */
class OwnSocket {
  readonly destroyed = false;
  readonly destroy: () => void;
  readonly destroySoon: () => void;
  readonly resetAndDestroy: () => void;
  readonly #outer: TLSSocket;

  constructor(outer: TLSSocket, drop: () => void) {
    this.#outer = outer;
    this.destroy = drop;
    this.destroySoon = drop;
    this.resetAndDestroy = drop;
  }

  get remoteAddress(): string | undefined {
    return this.#outer.remoteAddress;
  }

  get localAddress(): string | undefined {
    return this.#outer.localAddress;
  }

  get localFamily(): string | undefined {
    return this.#outer.localFamily;
  }

  get localPort(): number | undefined {
    return this.#outer.localPort;
  }

  get encrypted(): boolean | undefined {
    return this.#outer.encrypted;
  }
}

/** The part of a response object that the pipeline uses; keeps what is sent. */
class CapturedResponse {
  statusCode = 200;
  readonly #outer: ServerResponse;
  readonly #done: (response: OwnResponse) => void;
  readonly #headers: Record<string, string> = {};
  readonly #finished: (() => void)[] = [];
  #text = "";

  constructor({ res }: Exchange, done: (response: OwnResponse) => void) {
    this.#outer = res;
    this.#done = done;
  }

  get destroyed(): boolean {
    return this.#outer.destroyed;
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.statusCode = status;
    for (let at = 0; at < headers.length; at += 2) this.#headers[headers[at]!.toLowerCase()] = headers[at + 1]!;
  }

  getHeader(name: string): string | undefined {
    return this.#headers[name.toLowerCase()];
  }

  write(chunk: string | Uint8Array): void {
    this.#text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  }

  end(chunk?: string | Uint8Array): void {
    if (chunk !== undefined) this.write(chunk);
    this.#done({ status: this.statusCode, headers: this.#headers, text: this.#text });
    for (const listener of this.#finished) listener();
  }

  /** The connection ends without a response. */
  drop(): void {
    this.#done({ status: 0, headers: {}, text: "" });
  }

  destroy(): void {
    this.drop();
  }

  once(event: string, listener: () => void): void {
    if (event === "finish") this.#finished.push(listener);
    else this.#outer.once(event, listener);
  }

  off(event: string, listener: () => void): void {
    this.#outer.off(event, listener);
  }
}
