import { ServerResponse } from "node:http";
import type { Response } from "express";
import type { Exchange } from "../exchange.ts";
import { MIN_COMPRESSED_BYTES } from "../response/compression.ts";
import { addReplyHeaders, type Reply } from "../response/reply.ts";
import type { ServiceSettings } from "../settings.ts";
import { noteText } from "./express-traffic.ts";

/** What an interceptor may put something around to have its hand in an answer. */
const WRAPPABLE = ["jsonp", "json", "send", "end", "write", "writeHead", "setHeader"] as const;

/** The functions of a response as they are now. */
export type Functions = readonly unknown[];

export function functionsOf(res: ServerResponse): Functions {
  return WRAPPABLE.map((name) => (res as Response)[name]);
}

export function isWrapped(res: ServerResponse, before: Functions): boolean {
  return WRAPPABLE.some((name, position) => (res as Response)[name] !== before[position]);
}

/** Whether Express would do no more to an answer than give it a tag: the common case, which has a shorter way out. */
export function isPlain(exchange: Exchange, { json }: Reply, res: ServerResponse, settings: ServiceSettings): boolean {
  const { headers } = exchange.req;
  if (json === undefined || settings.pretty || exchange.parameters.has("callback")) return false;
  if (headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined) return false;
  if (res.hasHeader("Content-Type") || res.hasHeader("ETag")) return false;
  // In bytes it has at most three times as many as letters.
  return headers["accept-encoding"] === undefined || json.length * 3 < MIN_COMPRESSED_BYTES;
}

/**
 * Puts a reply into an Express response: status and headers now, data into `res.locals.data`. Tells whether the data are
 * still to be sent. The ETag is made by Express, from the body that interceptors leave.
 */
export function prepareReply(exchange: Exchange, reply: Reply, res: Response): boolean {
  const { etag: _etag, ...rest } = reply;
  const list = addReplyHeaders([], exchange, rest);
  for (let i = 0; i < list.length; i += 2) {
    // 0.17.4: code that wraps a list finds the count as a number.
    res.setHeader(list[i]!, list[i] === "X-Total-Count" ? Number(list[i + 1]) : list[i + 1]!);
  }
  res.status(reply.status);
  if (reply.stream) {
    res.flushHeaders();
    if (exchange.method === "HEAD") res.end();
    else reply.stream(res);
  } else if (reply.content !== undefined) res.set("Content-Type", reply.content.type).send(reply.content.text);
  else if (reply.json === undefined) res.end();
  else {
    res.locals.data = JSON.parse(reply.json);
    return true;
  }
  return false;
}

/** Waits for an interceptor that answers in its own time, so that its rejection is heard. */
export async function sendByExpress(exchange: Exchange, reply: Reply, res: ServerResponse): Promise<void> {
  const response = res as Response;
  if (prepareReply(exchange, reply, response)) await response.jsonp(response.locals.data);
}

/** Sends JSON past everything that interceptors and Express have put around the response. */
export function sendBare(exchange: Exchange, { etag, ...reply }: Reply, res: ServerResponse): void {
  const { status, json = "" } = reply;
  const bytes = Buffer.byteLength(json);
  const headers = addReplyHeaders([], exchange, reply);
  if (etag !== undefined) headers.push("ETag", etag);
  headers.push("Content-Type", "application/json; charset=utf-8", "X-Content-Type-Options", "nosniff");
  headers.push("Content-Length", String(bytes));
  exchange.bodyBytes = bytes;
  noteText(res, json);
  ServerResponse.prototype.writeHead.call(res, status, headers);
  // See reply.ts: for ASCII alone latin1 gives the same bytes, and sooner.
  ServerResponse.prototype.end.call(res, json, bytes === json.length ? "latin1" : "utf8");
}
