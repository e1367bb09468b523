import { StandinError } from "../../../base/errors.ts";
import type { Call } from "../../../http/call.ts";
import { type HeaderField, headerIn } from "../../../http/exchange.ts";
import { upstreamCookie } from "./cookies.ts";
import { endToEnd, fieldsIn } from "./hop-by-hop.ts";
import type { Upstream } from "./upstream.ts";

/** Names this process to the next one, which may be itself. */
const VIA = "X-Standin-Via";
/** Headers that are for this server. */
const OWN = new Set(["host", "expect", "x-standin-sandbox", "x-standin-console", VIA.toLowerCase()]);
/** The encodings that a copy can be decompressed from. */
const READABLE = /^(?:gzip|deflate|br|identity)\b/i;
const CONDITIONS = new Set(["if-none-match", "if-modified-since"]);

/** Methods that Node sends without a body unless told otherwise. */
const BODILESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

interface Passing {
  readonly upstream: Upstream;
  /** Whether the exchange is kept. */
  readonly isRecorded: boolean;
  readonly method: string;
  /** The body where it is no stream. */
  readonly body: Buffer | undefined;
}

/** The headers that go to the upstream: names and values in turn. Throws where the request has been here before. */
export function upstreamHeaders(call: Call, { upstream, isRecorded, method, body }: Passing): string[] {
  const fields = fieldsIn(call.rawHeaders);
  const via = headerIn(fields, VIA.toLowerCase())?.split(/,\s*/) ?? [];
  if (via.includes(upstream.mark)) throw loop(upstream);
  const replaced = new Set(upstream.headers.map(([name]) => name.toLowerCase()));
  const passed = endToEnd(fields).flatMap((field): readonly HeaderField[] => {
    const name = field[0].toLowerCase();
    if (OWN.has(name) || replaced.has(name) || (body && name === "content-length")) return [];
    // A response without a body could not be recorded.
    if (isRecorded && call.isRead && CONDITIONS.has(name)) return [];
    return [[field[0], upstreamValue(name, field[1], upstream)]];
  });
  const added: HeaderField[] = [["Host", upstream.host], ...framing(call, method, body), ...upstream.headers];
  return [...passed, ...added, [VIA, [...via, upstream.mark].join(", ")]].flat();
}

/** How the upstream knows where the body ends, unless the client's `Content-Length` says so. */
function framing(call: Call, method: string, body: Buffer | undefined): HeaderField[] {
  if (body) return body.length > 0 || !BODILESS.has(method) ? [["Content-Length", String(body.length)]] : [];
  if (call.headers["transfer-encoding"] !== undefined) return [["Transfer-Encoding", "chunked"]];
  const isEmpty = call.headers["content-length"] === undefined && !BODILESS.has(method);
  return isEmpty ? [["Content-Length", "0"]] : [];
}

function upstreamValue(name: string, value: string, { origin }: Upstream): string {
  switch (name) {
    case "origin":
      return origin;
    case "referer":
      return `${origin}/`;
    case "cookie":
      return upstreamCookie(value);
    case "accept-encoding":
      return readableEncodings(value);
    default:
      return value;
  }
}

function readableEncodings(value: string): string {
  const readable = value.split(/\s*,\s*/).filter((coding) => READABLE.test(coding));
  return readable.join(", ") || "identity";
}

function loop({ origin }: Upstream): StandinError {
  return new StandinError(
    "UPSTREAM_LOOP",
    `The request came back from ${origin}, which leads to this server again. Name the real API as the upstream.`,
  );
}
