import type { ClientRequest, IncomingMessage } from "node:http";
import { ClientLeft } from "../../../base/work-account.ts";
import type { Call } from "../../../http/call.ts";
import { type Exchange, mediaTypeOf } from "../../../http/exchange.ts";
import { NodeCall } from "../../../http/node/node-call.ts";
import type { EventSink, Reply } from "../../../http/response/reply.ts";
import { BodyCopy } from "./body-copy.ts";
import { fieldsIn } from "./hop-by-hop.ts";
import { upstreamHeaders } from "./request-headers.ts";
import { ownHeaders } from "./response-headers.ts";
import type { Upstream, UpstreamRequest } from "./upstream.ts";

/** An exchange that went by, with its secrets, and why its bodies are not all there. */
export interface Sighting {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly missing?: "event stream" | "over 10 MB" | "cut off" | undefined;
}

export interface ProxyOptions {
  readonly upstream: Upstream;
  /** The longest body that is copied. */
  readonly maxCopyBytes: number;
  /** Whether exchanges are kept, so that responses without a body are of no use. */
  readonly isRecorded: boolean;
  /** Called with each exchange once it is over. */
  readonly seen?: ((sighting: Sighting) => void) | undefined;
}

/** Passes calls on to the upstream, and its responses back, both as streams. Nothing waits for the copies. */
export class UpstreamProxy {
  readonly #options: ProxyOptions;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async forward(call: Call): Promise<Reply> {
    const { upstream, maxCopyBytes, isRecorded } = this.#options;
    const { path, search } = call.target;
    const startedAt = Date.now();
    const sent = new BodyCopy(maxCopyBytes);
    const method = sentMethod(call);
    const url = search === "" ? path : `${path}?${search}`;
    const body = call instanceof NodeCall && !call.isBodyRead ? undefined : await readBody(call);
    call.answeredBy = "upstream";
    const request: UpstreamRequest = {
      method,
      url,
      headers: upstreamHeaders(call, { upstream, isRecorded, method, body }),
      isRepeatable: isRead(method) && !call.hasBody,
      write: (stream) => (body === undefined ? passBody(call, stream, sent) : stream.end(body)),
      started: (stream) => call.onLeave(() => stream.destroy()),
    };
    const response = await upstream.send(request).catch((thrown: unknown) => {
      throw call.hasLeft ? new ClientLeft() : thrown;
    });
    if (body !== undefined) sent.add(body);
    const received = new BodyCopy(maxCopyBytes);
    const over = async (missing?: Sighting["missing"]): Promise<void> => {
      const exchange = await this.#exchangeOf(response, { startedAt, method, url, call, sent, received });
      this.#options.seen?.({ exchange, call, missing: received.isTooLong ? "over 10 MB" : missing });
    };
    return replyWith(call, { response, headers: ownHeaders(call, response, upstream), received, over });
  }

  async #exchangeOf(response: IncomingMessage, facts: Facts): Promise<Exchange> {
    const { startedAt, method, url, call, sent, received } = facts;
    const { headers, rawHeaders, statusCode = 0 } = response;
    const requestBody = await sent.text(call.headers["content-encoding"]);
    const responseBody = await received.text(headers["content-encoding"]);
    // For the traffic log.
    if (requestBody !== undefined) call.sentBody = { text: requestBody, bytes: sent.bytes };
    if (responseBody !== undefined) call.sentText = responseBody;
    call.sentBytes = received.bytes;
    return {
      startedAt,
      method,
      url: `${this.#options.upstream.base}${url}`,
      requestHeaders: fieldsIn(call.rawHeaders),
      requestBody,
      status: statusCode,
      responseHeaders: fieldsIn(rawHeaders),
      responseBody,
      mediaType: mediaTypeOf(headers["content-type"]),
    };
  }
}

/** The method as it was sent: `X-HTTP-Method-Override` is for the upstream to read. */
export function sentMethod(call: Call): string {
  return call instanceof NodeCall ? (call.req.method ?? call.method) : call.method;
}

/** Whether a method promises to change nothing. */
export function isRead(method: string): boolean {
  return /^(?:GET|HEAD|OPTIONS|QUERY|PROPFIND|REPORT|SEARCH)$/.test(method);
}

interface Facts {
  readonly startedAt: number;
  readonly method: string;
  readonly url: string;
  readonly call: Call;
  readonly sent: BodyCopy;
  readonly received: BodyCopy;
}

interface Received {
  readonly response: IncomingMessage;
  readonly headers: Record<string, string | string[]>;
  readonly received: BodyCopy;
  readonly over: (missing?: Sighting["missing"]) => Promise<void>;
}

/** Bytes that were read already, by an interceptor or to find a repeated request, or that never were a stream. */
async function readBody(call: Call): Promise<Buffer> {
  if (call.keptBytes) return call.keptBytes;
  const given = call.givenBody();
  if (given === undefined) return Buffer.from(call.sentBody?.text ?? "");
  return Buffer.isBuffer(given) ? given : Buffer.from(typeof given === "string" ? given : JSON.stringify(given));
}

/** Streams the body of a call, and keeps a copy. */
function passBody(call: Call, request: ClientRequest, copy: BodyCopy): void {
  if (!(call instanceof NodeCall) || !call.hasBody) {
    request.end();
    return;
  }
  call.req.on("data", (chunk: Buffer) => copy.add(chunk));
  call.req.pipe(request);
}

function replyWith(call: Call, { response, headers, received, over }: Received): Reply | Promise<Reply> {
  const status = response.statusCode ?? 502;
  if (!(call instanceof NodeCall)) return collected({ status, headers }, response, { received, over });
  if (call.method === "HEAD") {
    response.resume();
    void over();
  }
  return { status, headers, stream: (sink) => passResponse(response, sink, { received, over }) };
}

/** Streams the response. Resolves when it is over; event streams are noted at once and copied no further. */
function passResponse(
  response: IncomingMessage,
  sink: EventSink,
  { received, over }: Pick<Received, "received" | "over">,
): Promise<void> {
  const isEndless = mediaTypeOf(response.headers["content-type"]) === "text/event-stream";
  return new Promise((resolve) => {
    const end = (missing?: Sighting["missing"]): void => resolve(over(missing));
    if (isEndless) end("event stream");
    response.on("data", (chunk: Buffer) => {
      if (!isEndless) received.add(chunk);
      if (sink.write(chunk)) return;
      response.pause();
      sink.once("drain", () => response.resume());
    });
    response.once("end", () => {
      sink.end();
      if (!isEndless) end();
    });
    response.once("error", () => {
      sink.destroy();
      if (!isEndless) end("cut off");
    });
    sink.once("close", () => {
      if (!response.readableEnded) response.destroy(new Error("The client has left."));
    });
  });
}

/** For calls without a socket: the whole response. */
async function collected(
  reply: Reply,
  response: IncomingMessage,
  { received, over }: Pick<Received, "received" | "over">,
): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received.add(chunk);
    chunks.push(chunk);
  }
  await over();
  if (chunks.length === 0) return reply;
  const type = response.headers["content-type"] ?? "application/octet-stream";
  return { ...reply, content: { type, body: Buffer.concat(chunks) } };
}
