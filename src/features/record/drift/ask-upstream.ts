import type { IncomingMessage } from "node:http";
import { mediaTypeOf } from "../../../http/exchange.ts";
import { BodyCopy } from "../proxy/body-copy.ts";
import { fieldsIn } from "../proxy/hop-by-hop.ts";
import type { Upstream } from "../proxy/upstream.ts";
import type { AskUpstream } from "./ask-again.ts";

/** Longer bodies are not compared. */
const MAX_BYTES = 10 * 1024 * 1024;
/** How long a response may pause. */
const MAX_PAUSE_MS = 30_000;

/** Asks an API as the proxy does: its headers go to its origin alone, and redirects are not followed. */
export function askUpstream(upstream: Upstream, now = Date.now): AskUpstream {
  const own = upstream.headers.flat();
  const headers = ["Host", upstream.host, "Accept", "application/json, */*;q=0.8", "Accept-Encoding", "gzip", ...own];
  return async (url) => {
    const startedAt = now();
    const response = await upstream.send({
      method: "GET",
      url,
      headers,
      isRepeatable: true,
      write: (request) => request.end(),
      started: () => {},
    });
    const mediaType = mediaTypeOf(response.headers["content-type"]);
    return {
      startedAt,
      method: "GET",
      url,
      requestHeaders: [],
      requestBody: undefined,
      status: response.statusCode ?? 0,
      responseHeaders: fieldsIn(response.rawHeaders),
      responseBody: await bodyOf(response, mediaType),
      mediaType,
    };
  };
}

/** A stream of events has no end to wait for. */
async function bodyOf(response: IncomingMessage, mediaType: string): Promise<string | undefined> {
  if (mediaType === "text/event-stream") {
    response.destroy();
    return undefined;
  }
  response.setTimeout(MAX_PAUSE_MS, () => response.destroy(new Error("the response came to a halt")));
  const copy = new BodyCopy(MAX_BYTES);
  for await (const chunk of response as AsyncIterable<Buffer>) copy.add(chunk);
  return copy.text(response.headers["content-encoding"]);
}
