import type { JsonObject } from "../base/json/json.ts";
import { Buffer } from "../base/platform/buffer.ts";
import { version } from "../base/platform/files.ts";
import { type Exchange, type HeaderField, headerIn } from "./exchange.ts";

/** Writes an HTTP archive (HAR 1.2), which browsers, proxies and load tests can open. */
export function writeHar(exchanges: readonly Exchange[], origin: string): string {
  const log = {
    version: "1.2",
    creator: { name: "standin", version: version() },
    entries: exchanges.map((exchange) => entryOf(exchange, origin)),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function entryOf(exchange: Exchange, origin: string): JsonObject {
  const { startedAt, durationMs = 0, status, responseHeaders, responseBody } = exchange;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: requestOf(exchange, origin),
    response: {
      status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairsOf(responseHeaders),
      content: {
        size: bytesOf(responseBody),
        mimeType: headerIn(responseHeaders, "content-type") ?? "",
        ...(responseBody !== undefined && { text: responseBody }),
      },
      redirectURL: headerIn(responseHeaders, "location") ?? "",
      headersSize: -1,
      bodySize: bytesOf(responseBody),
    },
    cache: {},
    // How long the bytes were on their way is not known.
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

function requestOf({ method, url, requestHeaders, requestBody }: Exchange, origin: string): JsonObject {
  return {
    method,
    url: `${origin}${url}`,
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairsOf(requestHeaders),
    queryString: pairsOf([...new URLSearchParams(url.split("?").slice(1).join("?"))]),
    ...(requestBody !== undefined && {
      postData: { mimeType: headerIn(requestHeaders, "content-type") ?? "", text: requestBody },
    }),
    headersSize: -1,
    bodySize: bytesOf(requestBody),
  };
}

function pairsOf(pairs: readonly HeaderField[]): JsonObject[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function bytesOf(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text);
}
