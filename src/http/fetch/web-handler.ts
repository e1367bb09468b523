import { StandinError } from "../../base/errors.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import type { Call } from "../call.ts";
import { type LocalReply, replyLocally } from "../local-call.ts";
import type { Pipeline } from "../pipeline.ts";
import { slowPieces } from "../response/slow-pieces.ts";
import { FetchCall } from "./fetch-call.ts";
import { WebSink } from "./web-sink.ts";

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

type WebBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Responds to requests of the web without a socket. Rejects where a fault drops the connection, or the client aborts.
 * `isTrusted` leaves out the guards of our own routes.
 */
export function createWebHandler(pipeline: Pipeline, isTrusted: boolean): (request: Request) => Promise<Response> {
  return async (request) => {
    const call = new FetchCall(request, pipeline.service.settings, isTrusted);
    const reply = await replyLocally(pipeline, call);
    if (reply.status === 0) throw request.signal.aborted ? request.signal.reason : dropped(call);
    const hasBody = call.method !== "HEAD" && !WITHOUT_BODY.has(reply.status);
    const body = hasBody ? bodyOf(reply, call, pipeline) : null;
    return new Response(body, { status: reply.status, headers: headersOf(call.sentHeaders as readonly string[]) });
  };
}

/** Some names have several values. */
function headersOf(sent: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < sent.length; at += 2) pairs.push([sent[at]!, sent[at + 1]!]);
  return pairs;
}

function bodyOf({ text, bytes, stream, damage }: LocalReply, call: FetchCall, { service }: Pipeline): WebBody {
  if (stream) {
    const sink = new WebSink();
    const leave = (): void => sink.destroy();
    call.onLeave(leave);
    sink.once("close", () => call.offLeave(leave));
    stream(sink);
    return sink.body;
  }
  if (damage?.fault === "truncated-body") return cutOff(bytes ?? Buffer.from(text), call);
  if (damage?.fault === "slow-body") {
    return streamOf(
      slowPieces(bytes ?? Buffer.from(text), damage.bytesPerSecond, (ms) => service.waits.wait(ms, call)),
    );
  }
  return bytes ? new Uint8Array(bytes) : text;
}

function cutOff(part: Uint8Array, call: Call): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(part),
    pull: (controller) => controller.error(dropped(call)),
  });
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function dropped({ method, client, faults = [] }: Call): StandinError {
  const kind = faults.find(({ fault }) => fault.fault !== "latency")?.fault.fault;
  const cause = kind === undefined ? "The connection was dropped" : `The fault "${kind}" dropped the connection`;
  return new StandinError("FAULT_ON_DEMAND", `${cause} of ${method} ${client.path} on purpose.`);
}
