import { maskBody } from "../../base/secrets/mask-body.ts";
import { maskAddress, maskHeader, maskText } from "../../base/secrets/mask-text.ts";
import type { MetFault, SentHeaders, Target } from "../../http/call.ts";
import { type Exchange, mediaTypeOf } from "../../http/exchange.ts";
import { MAX_KEPT_TEXT, omittedRequestBody, omittedResponseBody } from "./omitted-body.ts";

/** A request and its response as they are kept: by reference, so that recording is cheap. Rendered when they are read. */
export interface TrafficEntry {
  readonly id: number;
  readonly time: number;
  readonly durationMs: number;
  readonly method: string;
  /** The part of the address in front of the path that names a sandbox. */
  readonly prefix: string;
  readonly client: Target;
  readonly target: Target;
  readonly sandbox: string | undefined;
  readonly faults: readonly MetFault[] | undefined;
  readonly refusal: string | undefined;
  readonly version: number | undefined;
  readonly status: number;
  readonly answeredBy: string;
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: SentHeaders;
  readonly requestBody: string | undefined;
  readonly responseBody: string | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly bytes: number;
}

/** An entry as JSON text, for people: secrets are masked. */
export function renderEntry(entry: TrafficEntry): string {
  const { prefix, client, target } = entry;
  const sentUrl = addressOf(client);
  const url = maskAddress(sentUrl);
  const rewritten = target === client ? url : maskAddress(addressOf(target));
  const requestBody = shownBody(entry.requestBody, sentUrl);
  const responseHeaders = headersOf(entry.responseHeaders);
  return JSON.stringify({
    id: entry.id,
    time: new Date(entry.time),
    method: entry.method,
    url: `${prefix}${url}`,
    sandbox: entry.sandbox,
    rewritten: rewritten === url ? undefined : rewritten,
    status: entry.status,
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
    answeredBy: entry.answeredBy,
    faults: entry.faults?.map(shownFault),
    refusal: entry.refusal === undefined ? undefined : maskText(entry.refusal),
    version: entry.version,
    requestHeaders: headersOf(entry.requestHeaders),
    responseHeaders,
    requestBody: requestBody?.text,
    requestBodyOmitted: omittedRequestBody(entry),
    responseBody: shownBody(entry.responseBody, sentUrl)?.text,
    responseBodyOmitted: omittedResponseBody(entry, responseHeaders),
    requestBytes: entry.requestBytes,
    responseBytes: entry.responseBytes,
    isMasked: url !== sentUrl || requestBody?.isMasked || undefined,
  });
}

/** An entry for an HTTP archive, with the same secrets masked. */
export function archivedEntry(entry: TrafficEntry): Exchange {
  const { prefix, client, time, durationMs, method, status } = entry;
  const responseHeaders = headersOf(entry.responseHeaders);
  const sentUrl = addressOf(client);
  return {
    startedAt: time - durationMs,
    durationMs,
    method,
    url: `${prefix}${maskAddress(sentUrl)}`,
    requestHeaders: Object.entries(headersOf(entry.requestHeaders)),
    requestBody: shownBody(entry.requestBody, sentUrl)?.text,
    status,
    responseHeaders: Object.entries(responseHeaders),
    responseBody: shownBody(entry.responseBody, sentUrl)?.text,
    mediaType: mediaTypeOf(responseHeaders["content-type"]),
  };
}

/** `isMasked`: it is not what the client sent. */
function shownBody(kept: string | undefined, address: string): { text: string; isMasked: boolean } | undefined {
  if (kept === undefined) return undefined;
  const text = kept.slice(0, MAX_KEPT_TEXT);
  const masked = maskBody(text, address);
  return { text: masked, isMasked: masked !== text };
}

function shownFault({ id, fault, delayMs }: MetFault): object {
  return { id, fault: fault.fault, status: fault.status, delayMs: fault.fault === "latency" ? delayMs : undefined };
}

function addressOf({ path, search }: Target): string {
  return search === "" ? path : `${path}?${search}`;
}

/** By lower-case name; one that was sent several times has its values joined. */
function headersOf(headers: SentHeaders): Record<string, string> {
  const named = new Map<string, string>();
  const add = (name: string, value: string): void => {
    const key = name.toLowerCase();
    const known = named.get(key);
    const shown = maskHeader(key, value);
    named.set(key, known === undefined ? shown : `${known}, ${shown}`);
  };
  if (Array.isArray(headers)) for (let at = 0; at < headers.length; at += 2) add(headers[at], String(headers[at + 1]));
  else for (const [name, value] of Object.entries(headers)) for (const one of [value].flat()) add(name, String(one));
  return Object.fromEntries(named);
}
