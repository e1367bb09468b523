import { SANDBOX_PREFIX } from "../api/base.ts";
import type { Pair } from "../api/parameters.ts";
import type { Entry, OmittedBody } from "./entry.ts";

/** Headers that belong to the connection or to the browser, not to a request that one would want to send again. */
const NOT_REPEATED =
  /^(host|connection|keep-alive|content-length|content-encoding|transfer-encoding|user-agent|accept-|sec-|origin$|referer$|cookie$|x-standin-console$|if-)/;
const SANDBOX_HEADER = "x-standin-sandbox";

/** A request of the log as a client would send it again. */
export interface SentAgain {
  readonly headers: readonly Pair[];
  /** Headers that are left out, because their values were masked. */
  readonly maskedHeaders: readonly string[];
  /** Undefined if there was none, or not all of it was kept. */
  readonly body: string | undefined;
  /** Why it is not the same request; undefined if it is. */
  readonly lack: string | undefined;
}

export function sentAgain(entry: Entry): SentAgain {
  const kept = Object.entries(entry.requestHeaders).filter(([name]) => !NOT_REPEATED.test(name));
  const isMasked = ([, value]: Pair): boolean => value.endsWith("...");
  const headers = kept.filter((pair) => !isMasked(pair));
  // A sandbox may have been named by a cookie, which is not sent again.
  if (entry.sandbox !== undefined && !namesSandbox(entry)) headers.push([SANDBOX_HEADER, entry.sandbox]);
  return {
    headers,
    maskedHeaders: kept.filter(isMasked).map(([name]) => name),
    body: entry.requestBodyOmitted === undefined ? entry.requestBody : undefined,
    lack: lackOf(entry),
  };
}

function namesSandbox({ url, requestHeaders }: Entry): boolean {
  return url.startsWith(SANDBOX_PREFIX) || requestHeaders[SANDBOX_HEADER] !== undefined;
}

function lackOf({ isMasked, requestBodyOmitted }: Entry): string | undefined {
  if (requestBodyOmitted !== undefined) return bodyNote("request", requestBodyOmitted);
  return isMasked ? "A secret in the URL or the body is masked." : undefined;
}

/** Says why a body is not there, or not whole. */
export function bodyNote(of: "request" | "response", omitted: OmittedBody): string {
  switch (omitted) {
    case "truncated":
      return `Only the first 4,096 characters of the ${of}'s body were kept.`;
    case "long":
      return `The ${of}'s body was not kept: bodies longer than 4,096 characters are kept only while the log is open.`;
    case "unread":
      return "The request's body was not kept: the server responded without reading it.";
    case "binary":
      return `The ${of}'s body was not kept: it is not text.`;
    case "file":
      return "The response's body was not kept: it is a file of the static folder.";
    case "lost":
      return "There was no response: a fault ended the connection.";
  }
}
