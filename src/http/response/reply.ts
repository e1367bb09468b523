import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ErrorCode, StandinError } from "../../errors.ts";
import { LARGE_TEXT } from "../../large-json/light.ts";
import { toBytes } from "../../large-json/pieces.ts";
import { indented, indentInPieces } from "../../large-json/stringify.ts";
import type { Reporter } from "../../reporter.ts";
import { inSlices } from "../../slices.ts";
import type { Exchange } from "../exchange.ts";
import type { ServiceSettings } from "../settings.ts";
import { acceptedEncoding, compress, compressOnce, type Encoding, MIN_COMPRESSED_BYTES } from "./compression.ts";

/** An answer before it becomes bytes. */
export interface Reply {
  readonly status: number;
  /** Compact JSON text; undefined for an answer without a body. */
  readonly json?: string | undefined;
  /** A body of any type instead of plain JSON. */
  readonly content?: Content | undefined;
  /** Server-sent events instead of either: called once the head of the answer is sent, and keeps the response open. */
  readonly stream?: ((res: ServerResponse) => void) | undefined;
  readonly etag?: string | undefined;
  /** The same object is sent again and again: what is made of its body once is kept. */
  readonly isFixed?: boolean | undefined;
  /** A list is sent as one header for each of its values. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

export interface Content {
  /** The value of Content-Type. */
  readonly type: string;
  readonly text: string;
}

/** From here on a text is made into bytes with pauses. */
const LARGE_REPLY = 1024 * 1024;

/** What a stream says of itself: nobody on its way may keep back parts of it, be it to compress them. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** Headers that a page of another origin may read only if they are named to it. */
const EXPOSED = ["X-Total-Count", "Link", "Content-Range", "Location"];

export function jsonReply(json: string, etag?: string): Reply {
  return { status: 200, json, etag };
}

export function streamReply(stream: NonNullable<Reply["stream"]>): Reply {
  return { status: 200, stream, headers: STREAM_HEADERS };
}

export function notModified(etag: string): Reply {
  return { status: 304, etag };
}

/** Whatever was thrown, as an answer. What is not ours to explain to a client goes to the terminal, never on the wire. */
export function errorReply(thrown: unknown, reporter: Reporter): Reply {
  if (thrown instanceof StandinError) {
    return { status: thrown.status, json: JSON.stringify(thrown), headers: thrown.headers };
  }
  reporter.fault("A request failed because of a fault in standin.", thrown);
  const code: ErrorCode = "INTERNAL_ERROR";
  const error = new StandinError(code, "Something went wrong inside standin; the terminal says what.");
  return { status: error.status, json: JSON.stringify(error) };
}

/** The headers that every answer has, as a flat list of names and values. */
export function commonHeaders(exchange: Exchange, settings: ServiceSettings): string[] {
  const headers = corsHeaders(exchange, settings);
  headers.push("Cache-Control", "no-cache");
  return headers;
}

/** Adds the headers that this answer has whatever carries its body. */
export function addReplyHeaders(headers: string[], exchange: Exchange, reply: Reply): string[] {
  const given = reply.headers;
  const exposed = given ? EXPOSED.filter((name) => given[name] !== undefined) : [];
  if (reply.etag !== undefined && exchange.req.headers.origin !== undefined) exposed.push("ETag");
  if (exposed.length > 0) headers.push("Access-Control-Expose-Headers", exposed.join(", "));
  for (const name in given) {
    const value = given[name]!;
    if (name === "Cache-Control") replaceDefault(headers, name, String(value));
    else if (typeof value === "string") headers.push(name, value);
    else for (const one of value) headers.push(name, one);
  }
  return headers;
}

/** An answer that knows better how it may be kept. */
function replaceDefault(headers: string[], name: string, value: string): void {
  const position = headers.indexOf(name);
  if (position === -1) headers.push(name, value);
  else headers[position + 1] = value;
}

/** Turns a reply into bytes and sends them; a promise only where they must be compressed first, or are many. */
export function send(exchange: Exchange, reply: Reply, settings: ServiceSettings): Promise<void> | undefined {
  const { res } = exchange;
  const headers = addReplyHeaders(commonHeaders(exchange, settings), exchange, reply);
  if (exchange.layerHeaders) headers.push(...exchange.layerHeaders);
  if (reply.etag !== undefined) headers.push("ETag", reply.etag);
  if (reply.stream) {
    res.writeHead(reply.status, headers);
    if (exchange.method === "HEAD") res.end();
    else reply.stream(res);
    return undefined;
  }
  if (isLarge(reply, settings)) return sendLarge(exchange, reply, headers, settings);
  const json = reply.json !== undefined && settings.pretty ? indented(JSON.parse(reply.json), "") : reply.json;
  const content = contentOf(exchange, reply, json, settings);
  if (content === undefined) {
    if (reply.status !== 304) headers.push("Content-Length", "0");
    res.writeHead(reply.status, headers);
    res.end();
    exchange.traffic?.record(exchange, reply.status, headers);
    return undefined;
  }
  headers.push("Content-Type", content.type, "X-Content-Type-Options", "nosniff");
  const bytes = Buffer.byteLength(content.text);
  const encoding = encodingFor(exchange, bytes, settings);
  if (!encoding) {
    sendBody(exchange, reply, headers, content.text, content.text, bytes);
    return undefined;
  }
  return sendCompressed(exchange, reply, headers, content.text, Buffer.from(content.text), encoding);
}

function isLarge({ json, content }: Reply, { pretty }: ServiceSettings): boolean {
  if (json === undefined) return content !== undefined && content.text.length > LARGE_REPLY;
  return json.length > (pretty ? LARGE_TEXT : LARGE_REPLY);
}

/** The same with pauses. */
async function sendLarge(
  exchange: Exchange,
  reply: Reply,
  headers: string[],
  settings: ServiceSettings,
): Promise<void> {
  const { json } = reply;
  // To put it together took a part of this turn.
  await nextTurn();
  const text = json !== undefined && settings.pretty ? await inSlices(indentInPieces(json)) : json;
  const content = contentOf(exchange, reply, text, settings)!;
  headers.push("Content-Type", content.type, "X-Content-Type-Options", "nosniff");
  const raw = await inSlices(toBytes(content.text));
  const encoding = encodingFor(exchange, raw.length, settings);
  if (encoding) return sendCompressed(exchange, reply, headers, content.text, raw, encoding);
  sendBody(exchange, reply, headers, content.text, raw, raw.length);
}

function encodingFor({ req }: Exchange, bytes: number, { compression }: ServiceSettings): Encoding | undefined {
  if (!compression || bytes < MIN_COMPRESSED_BYTES) return undefined;
  return acceptedEncoding(req.headers["accept-encoding"] as string | undefined);
}

async function sendCompressed(
  exchange: Exchange,
  reply: Reply,
  headers: string[],
  text: string,
  raw: Buffer,
  encoding: Encoding,
): Promise<void> {
  headers.push("Content-Encoding", encoding);
  const body = await (reply.isFixed ? compressOnce(reply, raw, encoding) : compress(raw, encoding));
  sendBody(exchange, reply, headers, text, body, body.length);
}

function sendBody(
  exchange: Exchange,
  reply: Reply,
  headers: string[],
  text: string,
  body: string | Buffer,
  bytes: number,
): void {
  const { res } = exchange;
  exchange.bodyBytes = bytes;
  headers.push("Content-Length", String(bytes));
  res.writeHead(reply.status, headers);
  // For ASCII alone both encodings give the same bytes, and Node writes latin1 by copying, utf8 letter by letter.
  const isAscii = bytes === body.length;
  res.end(exchange.method === "HEAD" ? undefined : body, isAscii ? "latin1" : "utf8");
  exchange.traffic?.record(exchange, reply.status, headers, reply.json === undefined ? undefined : text, bytes);
}

/** Echoes the origin with credentials, as 0.17 does. */
function corsHeaders({ req: { headers } }: Exchange, { cors, compression }: ServiceSettings): string[] {
  if (!cors) return compression ? ["Vary", "Accept-Encoding"] : [];
  const vary = compression ? "Origin, Accept-Encoding" : "Origin";
  const list = ["Vary", vary, "Access-Control-Allow-Credentials", "true"];
  if (headers.origin !== undefined) list.push("Access-Control-Allow-Origin", headers.origin);
  return list;
}

function contentOf(
  exchange: Exchange,
  { content }: Reply,
  text: string | undefined,
  { jsonp: hasJsonp }: ServiceSettings,
): Content | undefined {
  if (content !== undefined) return content;
  if (text === undefined) return undefined;
  const callback = exchange.target.search === "" || !hasJsonp ? undefined : exchange.parameters.get("callback")?.[0];
  if (!callback) return { text, type: "application/json; charset=utf-8" };
  return { text: jsonp(callback, text), type: "text/javascript; charset=utf-8" };
}

/** JSONP in the form Express gives it; the comment in front defuses content sniffers. */
function jsonp(callback: string, json: string): string {
  const name = callback.replace(/[^[\]\w$.]/g, "");
  const script = json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return `/**/ typeof ${name} === 'function' && ${name}(${script});`;
}
