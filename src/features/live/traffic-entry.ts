import type { SentHeaders, Target } from "../../http/exchange.ts";
import { maskBody } from "../../secrets/mask-body.ts";
import { maskHeader } from "../../secrets/mask-header.ts";
import { maskAddress } from "../../secrets/mask-text.ts";

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
  const { prefix, client, target, requestBody, responseBody } = entry;
  const url = addressOf(client);
  const rewritten = target === client ? url : addressOf(target);
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
    requestHeaders: headersOf(entry.requestHeaders),
    responseHeaders: headersOf(entry.responseHeaders),
    requestBody: requestBody === undefined ? undefined : maskBody(requestBody),
    responseBody: responseBody === undefined ? undefined : maskBody(responseBody),
    requestBytes: entry.requestBytes,
    responseBytes: entry.responseBytes,
  });
}

function addressOf({ path, search }: Target): string {
  return maskAddress(search === "" ? path : `${path}?${search}`);
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
