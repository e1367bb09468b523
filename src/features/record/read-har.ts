import { messageOf, StartError } from "../../base/errors.ts";
import { isJsonObject, type Json, parseJson } from "../../base/json/json.ts";
import { type Exchange, type HeaderField, headerIn, mediaTypeOf } from "../../http/exchange.ts";

/** An exchange of an archive, which may be with any server. */
export interface HarExchange {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly exchange: Exchange;
}

/** Reads an HTTP archive as browsers, Playwright, Charles and standin write it. Nothing in it is redacted yet. */
export function readHar(text: string, place: string): HarExchange[] {
  const entries = member(member(parsed(text, place), "log"), "entries");
  if (!Array.isArray(entries)) throw new StartError(`${place} is not an HTTP archive: it has no list "log.entries".`);
  return entries
    .flatMap((entry) => exchangeOf(entry) ?? [])
    .sort((one, other) => one.exchange.startedAt - other.exchange.startedAt);
}

/** The origin that most JSON responses come from: of a page's traffic, that is its API. */
export function busiestOrigin(found: readonly HarExchange[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { origin, exchange } of found) {
    const weight = /\bjson\b/.test(exchange.mediaType) ? 1_000_000 : 1;
    counts.set(origin, (counts.get(origin) ?? 0) + weight);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function parsed(text: string, place: string): Json {
  try {
    return parseJson(text);
  } catch (thrown) {
    throw new StartError(`${place} is not an HTTP archive: ${messageOf(thrown)}.`);
  }
}

/** Undefined for requests without a response, and for other protocols such as `ws:` and `data:`. */
function exchangeOf(entry: Json): HarExchange | undefined {
  const request = member(entry, "request");
  const response = member(entry, "response");
  const address = textOf(member(request, "url"));
  const status = Number(member(response, "status"));
  if (!URL.canParse(address) || !/^https?:/.test(address) || !(status >= 100)) return undefined;
  const { origin, pathname, search } = new URL(address);
  const requestHeaders = fieldsOf(member(request, "headers"));
  const responseHeaders = fieldsOf(member(response, "headers"));
  const content = member(response, "content");
  const type = headerIn(responseHeaders, "content-type") ?? textOf(member(content, "mimeType"));
  return {
    origin,
    exchange: {
      startedAt: Date.parse(textOf(member(entry, "startedDateTime"))) || 0,
      method: textOf(member(request, "method")).toUpperCase(),
      url: `${pathname}${search}`,
      requestHeaders,
      requestBody: bodyOf(member(request, "postData")),
      status,
      responseHeaders,
      responseBody: bodyOf(content),
      mediaType: mediaTypeOf(type),
    },
  };
}

/** The text of a body; undefined for none, and for bytes that are no text. */
function bodyOf(content: Json | undefined): string | undefined {
  const text = member(content, "text");
  if (typeof text !== "string") return undefined;
  if (member(content, "encoding") !== "base64") return text;
  const bytes = Buffer.from(text, "base64");
  const decoded = bytes.toString("utf8");
  return decoded.includes("\uFFFD") ? undefined : decoded;
}

/** HTTP/2 writes facts of the request among the headers: `:path`. */
function fieldsOf(headers: Json | undefined): HeaderField[] {
  if (!Array.isArray(headers)) return [];
  return headers
    .map((header): HeaderField => [textOf(member(header, "name")), textOf(member(header, "value"))])
    .filter(([name]) => name !== "" && !name.startsWith(":"));
}

function member(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
