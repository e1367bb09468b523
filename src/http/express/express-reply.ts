import { ServerResponse } from "node:http";
import type { Response } from "express";
import type { LayerReply, LayerResponse } from "../../layers/layer.ts";
import { type Call, isOwnPath } from "../call.ts";
import type { NodeCall } from "../node/node-call.ts";
import { MIN_COMPRESSED_BYTES } from "../response/compression.ts";
import { addReplyHeaders, commonHeaders } from "../response/headers.ts";
import type { Reply } from "../response/reply.ts";
import type { ServiceSettings } from "../settings.ts";
import { noteText } from "./express-traffic.ts";

/** The exit for replies that pass through users' Express middlewares: see node/sender.ts for all others. */

/** The functions that interceptors wrap to change a response. */
const WRAPPABLE = ["jsonp", "json", "send", "end", "write", "writeHead", "setHeader"] as const;

/** The functions of a response as they are now. */
export type Functions = readonly unknown[];

export function functionsOf(res: ServerResponse): Functions {
  return WRAPPABLE.map((name) => (res as Response)[name]);
}

export function isWrapped(res: ServerResponse, before: Functions): boolean {
  return WRAPPABLE.some((name, position) => (res as Response)[name] !== before[position]);
}

/** Sets the common headers where interceptors can see and replace them. */
export function beginResponse({ headers, res }: NodeCall, settings: ServiceSettings): void {
  const list = commonHeaders(headers.origin, settings);
  for (let at = 0; at < list.length; at += 2) res.setHeader(list[at]!, list[at + 1]!);
}

/** Whether Express would only add an ETag to a response: the common case, which has a shorter way out. */
export function isPlain(call: Call, { json }: Reply, res: Response): boolean {
  const { headers } = call;
  const isPretty = res.app.get("json spaces") !== undefined;
  if (json === undefined || isPretty || call.parameters.has("callback")) return false;
  if (headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined) return false;
  if (res.hasHeader("Content-Type") || res.hasHeader("ETag")) return false;
  // A character takes at most three bytes.
  return headers["accept-encoding"] === undefined || json.length * 3 < MIN_COMPRESSED_BYTES;
}

/**
 * Puts a reply into an Express response: status and headers now, data into `res.locals.data`. Returns whether the data is
 * still to be sent. Express makes the ETag from the body that interceptors leave.
 */
export function prepareReply(call: Call, reply: Reply, res: Response): boolean {
  const { etag: _etag, ...rest } = reply;
  const list = addReplyHeaders([], call, rest);
  for (let i = 0; i < list.length; i += 2) {
    // 0.17.4: code that wraps a list finds the count as a number.
    res.setHeader(list[i]!, list[i] === "X-Total-Count" ? Number(list[i + 1]) : list[i + 1]!);
  }
  res.status(reply.status);
  if (reply.type !== undefined) res.setHeader("Content-Type", reply.type);
  if (reply.stream) {
    res.flushHeaders();
    if (call.method === "HEAD") res.end();
    else reply.stream(res);
  } else if (reply.content !== undefined) res.set("Content-Type", reply.content.type).send(reply.content.body);
  else if (reply.json === undefined) res.end();
  else {
    res.locals.data = JSON.parse(reply.json);
    return true;
  }
  return false;
}

/** Waits for an interceptor that responds asynchronously, so that its rejection is handled. */
export async function sendByExpress(call: Call, reply: Reply, res: ServerResponse): Promise<void> {
  const response = res as Response;
  if (!prepareReply(call, reply, response)) return;
  // Any page can load a script: our own routes send none.
  if (isOwnPath(call.target.path)) delete response.req.query.callback;
  await response.jsonp(response.locals.data);
}

/** Sends JSON past everything that wraps the response, by interceptors and by Express. */
export function sendBare(call: Call, { etag, ...reply }: Reply, res: ServerResponse): void {
  const { status, json = "", type = "application/json; charset=utf-8" } = reply;
  const bytes = Buffer.byteLength(json);
  const headers = addReplyHeaders([], call, reply);
  if (etag !== undefined) headers.push("ETag", etag);
  headers.push("Content-Type", type, "X-Content-Type-Options", "nosniff");
  headers.push("Content-Length", String(bytes));
  call.sentBytes = bytes;
  noteText(res, json);
  ServerResponse.prototype.writeHead.call(res, status, headers);
  // See send.ts: for ASCII alone latin1 gives the same bytes, and sooner.
  ServerResponse.prototype.end.call(res, json, bytes === json.length ? "latin1" : "utf8");
}

/** The response as layers see it between interceptors, where headers are set at once. */
export class ExpressLayerResponse implements LayerResponse {
  readonly #res: ServerResponse;
  readonly reply: (reply: LayerReply) => void;

  constructor(res: ServerResponse, reply: (reply: LayerReply) => void) {
    this.#res = res;
    this.reply = reply;
  }

  setHeader(name: string, value: string): void {
    this.#res.setHeader(name, value);
  }

  hasHeader(name: string): boolean {
    return this.#res.hasHeader(name);
  }
}
