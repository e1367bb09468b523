import { setImmediate as nextTurn } from "node:timers/promises";
import { crossOriginHeaders, EXPOSED_HEADERS, preflightHeaders } from "../../base/cross-origin.ts";
import { StandinError } from "../../base/errors.ts";
import { parseExact } from "../../base/json/exact/parse.ts";
import { LARGE_TEXT } from "../../base/json/large/light.ts";
import { toByteParts } from "../../base/json/large/pieces.ts";
import { indented, indentInPieces } from "../../base/json/large/stringify.ts";
import type { Reporter } from "../../base/reporter.ts";
import { inSlices } from "../../base/slices.ts";
import type { Eventually } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import type { ServiceSettings } from "../settings.ts";
import {
  acceptedEncoding,
  compress,
  compressOnce,
  type Encoding,
  lengthOf,
  MIN_COMPRESSED_BYTES,
} from "./compression.ts";
import { SCRIPT_TYPE, type Script, scriptParts, scriptText, wantedScript } from "./jsonp.ts";
import { type Content, errorReply, type Reply } from "./reply.ts";
import { logWhenSent } from "./request-log.ts";
import { type FileReply, sendFile } from "./send-file.ts";

/** From here on a text is made into bytes with pauses. */
const LARGE_REPLY = 1024 * 1024;

export interface SenderOptions {
  readonly settings: ServiceSettings;
  readonly reporter: Reporter;
  /** Takes down every response, for people to look at; undefined for no traffic log. */
  readonly record: RecordTraffic | undefined;
  /** Renders errors in a form of its own; undefined for the usual one. */
  readonly renderError?: RenderError | undefined;
}

export type RenderError = (exchange: Exchange, error: StandinError) => Reply | undefined;

/** Takes down an exchange whose response is on its way: see the `sent...` fields of `Exchange`. */
export type RecordTraffic = (exchange: Exchange) => void;

/**
 * The one exit: every response of ours becomes bytes here, gets the common headers, is logged and recorded. Only replies
 * that pass through users' Express middlewares leave another way, by express/express-reply.ts.
 */
export class Sender {
  readonly #settings: ServiceSettings;
  readonly #reporter: Reporter;
  readonly record: RecordTraffic | undefined;
  readonly #renderError: RenderError | undefined;
  /** Of requests without an `Origin`, the most common ones. */
  readonly #commonHeaders: readonly string[];

  constructor({ settings, reporter, record, renderError }: SenderOptions) {
    this.#settings = settings;
    this.#reporter = reporter;
    this.record = record;
    this.#renderError = renderError;
    this.#commonHeaders = commonHeaders(undefined, settings);
  }

  /** Sends a reply; a promise only where its body must be compressed first, or is large. Never rejects. */
  send(exchange: Exchange, reply: Reply): Eventually<void> {
    try {
      return this.#send(exchange, reply)?.catch((thrown) => this.#fail(exchange, thrown));
    } catch (thrown) {
      this.#fail(exchange, thrown);
    }
  }

  sendError(exchange: Exchange, thrown: unknown): Eventually<void> {
    return this.send(exchange, this.errorReply(exchange, thrown));
  }

  /** The response to anything thrown, in the form that is wanted here. */
  errorReply(exchange: Exchange, thrown: unknown): Reply {
    const rendered = thrown instanceof StandinError ? this.#renderError?.(exchange, thrown) : undefined;
    return rendered ?? errorReply(thrown, this.#reporter);
  }

  /** Allows any cross-origin request. 0.17.4: preflights are not logged. */
  sendPreflight(exchange: Exchange): void {
    const { req, res } = exchange;
    const headers = preflightHeaders(req.headers);
    headers.push("Content-Length", "0");
    exchange.answeredBy = "cors";
    exchange.sentStatus = 204;
    exchange.sentHeaders = headers;
    res.writeHead(204, headers);
    res.end();
    this.record?.(exchange);
  }

  /** Resolves to whether there is such a file. 0.17.4: files are not logged. */
  async sendFile(exchange: Exchange, file: FileReply): Promise<boolean> {
    const outcome = await sendFile(exchange, file, this.#settings);
    if (outcome === "missing") return false;
    if (outcome !== "sent") await this.sendError(exchange, outcome);
    else if (file.answeredBy !== undefined && exchange.res.writableFinished) {
      exchange.answeredBy = file.answeredBy;
      this.record?.(exchange);
    }
    return true;
  }

  #send(exchange: Exchange, reply: Reply): Promise<void> | undefined {
    const settings = this.#settings;
    if (reply.connection) return this.#endConnection(exchange, reply.connection);
    const headers = this.#headersOf(exchange, reply);
    exchange.sentStatus = reply.status;
    exchange.sentHeaders = headers;
    if (reply.stream) return this.#sendStream(exchange, headers, reply.stream);
    if (isLarge(reply, settings)) return this.#sendLarge(exchange, headers, reply);
    const json = reply.json !== undefined && settings.pretty ? indented(parseExact(reply.json), "") : reply.json;
    const content = reply.content ?? (json === undefined ? undefined : jsonContent(exchange, json, settings, reply));
    if (content === undefined) {
      if (reply.status !== 304) headers.push("Content-Length", "0");
      this.#end(exchange, headers);
      return undefined;
    }
    addContentHeaders(headers, content.type);
    if (typeof content.body === "string") exchange.sentText = content.body;
    const bytes = bytesOf(content.body, reply);
    const encoding = this.#encodingFor(exchange, bytes);
    if (encoding)
      return this.#sendCompressed(exchange, reply, { headers, parts: [Buffer.from(content.body)], encoding });
    exchange.sentBytes = bytes;
    headers.push("Content-Length", String(bytes));
    this.#end(exchange, headers, content.body);
  }

  #headersOf(exchange: Exchange, reply: Reply): string[] {
    const { origin } = exchange.req.headers;
    const headers = origin === undefined ? this.#commonHeaders.slice() : commonHeaders(origin, this.#settings);
    if (reply.headers || origin !== undefined || exchange.warning !== undefined)
      addReplyHeaders(headers, exchange, reply);
    if (exchange.layerHeaders) headers.push(...exchange.layerHeaders);
    if (reply.etag !== undefined) headers.push("ETag", reply.etag);
    return headers;
  }

  #sendStream(exchange: Exchange, headers: string[], stream: NonNullable<Reply["stream"]>): undefined {
    const { res } = exchange;
    if (this.#reporter.request) logWhenSent(exchange, this.#reporter.request);
    res.writeHead(exchange.sentStatus, headers);
    if (exchange.method === "HEAD") res.end();
    else stream(res);
  }

  /** Sends a large body with pauses, so that other requests get their turn. */
  async #sendLarge(exchange: Exchange, headers: string[], reply: Reply): Promise<void> {
    const { json } = reply;
    // Building the text took part of this turn.
    await nextTurn();
    const text = json !== undefined && this.#settings.pretty ? await inSlices(indentInPieces(json)) : json;
    const script = reply.content ? undefined : wantedScript(exchange, this.#settings);
    const { type, body } = reply.content ?? { type: jsonType(script, reply), body: text! };
    addContentHeaders(headers, type);
    if (typeof body === "string") exchange.sentText = script ? script.before + body + script.after : body;
    const parts = await partsOf(body, script);
    const bytes = lengthOf(parts);
    const encoding = this.#encodingFor(exchange, bytes);
    if (encoding) return this.#sendCompressed(exchange, reply, { headers, parts, encoding });
    exchange.sentBytes = bytes;
    headers.push("Content-Length", String(bytes));
    this.#end(exchange, headers, parts);
  }

  async #sendCompressed(exchange: Exchange, reply: Reply, { headers, parts, encoding }: Uncompressed): Promise<void> {
    const body = await (reply.isFixed ? compressOnce(reply, parts, encoding) : compress(parts, encoding));
    exchange.sentBytes = lengthOf(body);
    headers.push("Content-Encoding", encoding, "Content-Length", String(exchange.sentBytes));
    this.#end(exchange, headers, body);
  }

  #encodingFor({ req }: Exchange, bytes: number): Encoding | undefined {
    if (bytes < MIN_COMPRESSED_BYTES || !this.#settings.compression) return undefined;
    return acceptedEncoding(req.headers["accept-encoding"] as string | undefined);
  }

  #end(exchange: Exchange, headers: string[], body?: string | Buffer | readonly Buffer[]): void {
    const { res } = exchange;
    if (this.#reporter.request) logWhenSent(exchange, this.#reporter.request);
    res.writeHead(exchange.sentStatus, headers);
    if (exchange.method === "HEAD") res.end();
    else if (typeof body === "string") {
      // For ASCII alone both encodings give the same bytes, and Node writes latin1 by copying, utf8 letter by letter.
      res.end(body, exchange.sentBytes === body.length ? "latin1" : "utf8");
    } else if (isParts(body)) {
      for (const part of body) res.write(part);
      res.end();
    } else res.end(body);
    this.record?.(exchange);
  }

  #endConnection(exchange: Exchange, how: NonNullable<Reply["connection"]>): undefined {
    const { req, res } = exchange;
    if (how === "end") req.socket.destroySoon();
    else if (how === "reset" && !("encrypted" in req.socket)) req.socket.resetAndDestroy();
    else req.socket.destroy();
    res.destroy();
    this.record?.(exchange);
  }

  #fail(exchange: Exchange, thrown: unknown): void {
    this.#reporter.fault("A response could not be sent.", thrown);
    exchange.res.destroy();
  }
}

/** The headers of every response to a request with this `Origin`: names and values in turn. */
export function commonHeaders(origin: string | undefined, { cors, compression }: ServiceSettings): string[] {
  const vary = [...(cors ? ["Origin"] : []), ...(compression ? ["Accept-Encoding"] : [])].join(", ");
  const list = cors ? crossOriginHeaders(origin, vary) : vary === "" ? [] : ["Vary", vary];
  list.push("Cache-Control", "no-cache");
  return list;
}

/** Adds the headers of a reply that do not depend on how its body is sent. */
export function addReplyHeaders(
  headers: string[],
  { req, warning }: Exchange,
  { headers: given, etag }: Reply,
): string[] {
  let exposed = etag !== undefined && req.headers.origin !== undefined ? "ETag" : "";
  for (const name in given) {
    const value = given[name]!;
    if (EXPOSED_HEADERS.has(name)) exposed = exposed === "" ? name : `${exposed}, ${name}`;
    if (typeof value === "string") setHeader(headers, name, value);
    else for (const one of value) headers.push(name, one);
  }
  if (warning !== undefined) setHeader(headers, "Warning", warning);
  if (exposed !== "") setHeader(headers, "Access-Control-Expose-Headers", exposed);
  return headers;
}

/** Takes the place of a common header; two of most names would contradict each other. */
function setHeader(headers: string[], name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    headers[at + 1] = LISTS.has(name) ? `${headers[at + 1]}, ${value}` : value;
    return;
  }
  headers.push(name, value);
}

/** Headers whose values add up. */
const LISTS: ReadonlySet<string> = new Set(["Vary", "Access-Control-Expose-Headers"]);

interface Uncompressed {
  readonly headers: string[];
  readonly parts: readonly Buffer[];
  readonly encoding: Encoding;
}

function isLarge({ json, content }: Reply, { pretty }: ServiceSettings): boolean {
  if (json === undefined) return content !== undefined && content.body.length > LARGE_REPLY;
  return json.length > (pretty ? LARGE_TEXT : LARGE_REPLY);
}

/** Counting takes as long as copying, and flattens a text that is made of parts, which sending it does once more. */
function bytesOf(body: string | Buffer, { json, isAscii }: Reply): number {
  return isAscii && body === json ? body.length : Buffer.byteLength(body);
}

function addContentHeaders(headers: string[], type: string): void {
  headers.push("Content-Type", type, "X-Content-Type-Options", "nosniff");
}

function jsonContent(exchange: Exchange, text: string, settings: ServiceSettings, reply: Reply): Content {
  const script = wantedScript(exchange, settings);
  return { body: script ? scriptText(script, text) : text, type: jsonType(script, reply) };
}

function jsonType(script: Script | undefined, { type = "application/json; charset=utf-8" }: Reply): string {
  return script ? SCRIPT_TYPE : type;
}

/** The bytes of a large body. */
async function partsOf(body: string | Buffer, script: Script | undefined): Promise<readonly Buffer[]> {
  if (typeof body !== "string") return [body];
  return inSlices(script ? scriptParts(script, body) : toByteParts(body));
}

function isParts(body: Buffer | readonly Buffer[] | undefined): body is readonly Buffer[] {
  return Array.isArray(body);
}
