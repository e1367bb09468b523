import { type LocalReply, replyLocally } from "../local-call.ts";
import type { Pipeline } from "../pipeline.ts";
import { FetchCall } from "./fetch-call.ts";
import { WebSink } from "./web-sink.ts";

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Responds to requests of the web without a socket. Rejects as `fetch` does where a fault drops the connection. */
export function createFetch(pipeline: Pipeline): (request: Request) => Promise<Response> {
  return async (request) => {
    const call = new FetchCall(request, pipeline.service.settings);
    const reply = await replyLocally(pipeline, call);
    if (reply.status === 0) throw new TypeError("fetch failed");
    const hasBody = call.method !== "HEAD" && !WITHOUT_BODY.has(reply.status);
    return new Response(hasBody ? bodyOf(reply) : null, { status: reply.status, headers: { ...reply.headers } });
  };
}

function bodyOf({ text, bytes, stream }: LocalReply): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (!stream) return bytes ? new Uint8Array(bytes) : text;
  const sink = new WebSink();
  stream(sink);
  return sink.body;
}
