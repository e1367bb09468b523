import { type HeaderField, mediaTypeOf } from "../exchange.ts";
import type { AskUpstream } from "./ask-again.ts";

const MAX_WAIT_MS = 30_000;

/** Asks an API by `fetch`, with headers that go to its origin alone: redirects are not followed. */
export function askByFetch(origin: string, headers: readonly HeaderField[], now = Date.now): AskUpstream {
  return async (url) => {
    const startedAt = now();
    const response = await fetch(new URL(url, origin), {
      headers: [
        ["accept", "application/json, */*;q=0.8"],
        ...headers.map(([name, value]): [string, string] => [name, value]),
      ],
      redirect: "manual",
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    const mediaType = mediaTypeOf(response.headers.get("content-type") ?? undefined);
    // A stream of events has no end to wait for.
    const isStream = mediaType === "text/event-stream";
    if (isStream) await response.body?.cancel();
    return {
      startedAt,
      method: "GET",
      url,
      requestHeaders: [],
      requestBody: undefined,
      status: response.status,
      responseHeaders: [...response.headers],
      responseBody: isStream ? undefined : await response.text(),
      mediaType,
    };
  };
}
