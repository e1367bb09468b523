import { type Json, parseJson } from "../../../base/json/json.ts";
import { type Exchange, headerIn } from "../../../http/exchange.ts";
import { bareType, isJsonType } from "../../../openapi/check/media-types.ts";
import { percentDecoded } from "../../../schema/pointer.ts";

/** An exchange as inference looks at it. */
export interface SeenExchange {
  readonly exchange: Exchange;
  readonly method: string;
  readonly status: number;
  /** Of the path, as they were sent. */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The JSON of the response; undefined for other bodies. */
  readonly body: Json | undefined;
  /** The JSON of the request. */
  readonly sent: Json | undefined;
}

/** Exchanges in the order of time, without those that say nothing about the API. */
export function readExchanges(exchanges: readonly Exchange[]): SeenExchange[] {
  return exchanges
    .filter(({ method, status }) => !IGNORED.has(method) && status >= 200 && status !== 304)
    .toSorted((one, other) => one.startedAt - other.startedAt)
    .map(readExchange);
}

const IGNORED: ReadonlySet<string> = new Set(["OPTIONS", "HEAD", "CONNECT", "TRACE"]);

function readExchange(exchange: Exchange): SeenExchange {
  const { method, status, url, mediaType, responseBody, requestHeaders, requestBody } = exchange;
  const [path = "", search = ""] = url.split(/\?(.*)/s);
  const sentType = bareType(headerIn(requestHeaders, "content-type"));
  return {
    exchange,
    method,
    status,
    segments: path.split("/").filter((segment) => segment !== ""),
    query: [...new URLSearchParams(search)],
    body: isJsonType(mediaType) ? jsonIn(responseBody) : undefined,
    sent: sentType === "" || isJsonType(sentType) ? jsonIn(requestBody) : undefined,
  };
}

function jsonIn(text: string | undefined): Json | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function isSuccessful({ status }: Pick<SeenExchange, "status">): boolean {
  return status < 300;
}

/** A segment as a field of a record would have it. */
export function textOfSegment(segment: string): string {
  return percentDecoded(segment);
}

/** Whether a value is one that a path can name: a number or a text. */
export function isKeyValue(value: Json | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
