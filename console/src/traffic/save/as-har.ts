import { type Entry, startOf } from "../entry.ts";
import { bodyNote } from "../sent-again.ts";

interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

/** Requests and responses as an HTTP archive (HAR 1.2), which browsers and proxies can open. Names of our own begin with `_`. */
export function asHar(entries: readonly Entry[], origin: string, version: string): string {
  const log = {
    version: "1.2",
    creator: { name: "standin", version },
    entries: entries.map((entry) => harEntry(entry, origin)),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function harEntry(entry: Entry, origin: string): object {
  return {
    startedDateTime: new Date(startOf(entry)).toISOString(),
    time: entry.durationMs,
    request: harRequest(entry, origin),
    response: harResponse(entry),
    cache: {},
    // The server knows how long it took, not how long the bytes were on their way.
    timings: { send: 0, wait: entry.durationMs, receive: 0 },
    _handledBy: entry.answeredBy,
    ...(entry.sandbox !== undefined && { _sandbox: entry.sandbox }),
    ...(entry.faults && { _faults: entry.faults }),
  };
}

function harRequest(entry: Entry, origin: string): object {
  const { method, url, requestHeaders, requestBody, requestBodyOmitted } = entry;
  return {
    method,
    url: `${origin}${url}`,
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairsOf(Object.entries(requestHeaders)),
    queryString: pairsOf([...new URLSearchParams(url.split("?").slice(1).join("?"))]),
    ...(requestBody !== undefined && {
      postData: { mimeType: requestHeaders["content-type"] ?? "", text: requestBody },
    }),
    headersSize: -1,
    bodySize: entry.requestBytes,
    ...(requestBodyOmitted && { comment: bodyNote("request", requestBodyOmitted) }),
  };
}

function harResponse(entry: Entry): object {
  const { status, responseHeaders, responseBody, responseBodyOmitted, responseBytes } = entry;
  return {
    status,
    statusText: "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairsOf(Object.entries(responseHeaders)),
    content: {
      size: responseBodyOmitted || responseBody === undefined ? responseBytes : sizeOf(responseBody),
      mimeType: responseHeaders["content-type"] ?? "",
      ...(responseBody !== undefined && { text: responseBody }),
      ...(responseBodyOmitted && { comment: bodyNote("response", responseBodyOmitted) }),
    },
    redirectURL: responseHeaders.location ?? "",
    headersSize: -1,
    bodySize: responseBytes,
  };
}

function pairsOf(pairs: readonly (readonly [string, string])[]): NameAndValue[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
