import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import type { Buffer } from "../../base/platform/buffer.ts";
import type { Reporter } from "../../base/reporter.ts";
import { ClientLeft } from "../../base/work-account.ts";
import type { KeptResponse } from "../../store/receipts.ts";

/** A response before it becomes bytes. `Sender` turns it into them. */
export interface Reply {
  readonly status: number;
  /** Compact JSON text; undefined for a response without a body. */
  readonly json?: string | undefined;
  /** The value of Content-Type for JSON of a special kind. */
  readonly type?: string | undefined;
  /** A body of any type instead of plain JSON. */
  readonly content?: Content | undefined;
  /**
   * A stream instead of either: called once the head of the response is sent, and keeps it open. Server-sent events are no
   * traffic; any other stream resolves when it is over, and is recorded then.
   */
  readonly stream?: ((sink: EventSink) => Eventually<void>) | undefined;
  /** No response at all: the connection is reset, closed in order, or destroyed. The status is 0 then. */
  readonly connection?: "reset" | "end" | "destroy" | undefined;
  readonly etag?: string | undefined;
  /** Done on purpose to the body on its way out. */
  readonly damage?: BodyDamage | undefined;
  /** Sent with its own headers alone, and not logged. */
  readonly isPreflight?: true;
  /** The facts of a list, for callers in this process, who have no use for headers. */
  readonly list?: ListFacts | undefined;
  /** The same object is sent again and again, so its compressed body is kept. */
  readonly isFixed?: boolean | undefined;
  /** A list is sent as one header for each of its values. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** A window of a list: how many there are in all, and the cursor of the next window; undefined where that is not known. */
export interface ListFacts {
  readonly total: number | undefined;
  readonly next: string | undefined;
}

export type BodyDamage =
  | { readonly fault: "malformed-json" }
  | { readonly fault: "truncated-body"; readonly bytes?: number }
  | { readonly fault: "slow-body"; readonly bytesPerSecond: number };

export interface Content {
  /** The value of Content-Type. */
  readonly type: string;
  readonly body: string | Buffer;
}

/** Takes the events of a stream; a response of Node is one. */
export interface EventSink {
  /** The bytes, or letters, that were not fetched yet. */
  readonly writableLength: number;
  write(data: string | Uint8Array): boolean;
  end(data?: string | Uint8Array): unknown;
  /** Ends it in the middle. */
  destroy(): unknown;
  once(event: "close" | "drain", listener: () => void): unknown;
}

/** Proxies must not buffer or compress a stream. */
const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

export function jsonReply(json: string, etag?: string): Reply {
  return { status: 200, json, etag };
}

/** The part of a reply that can be stored and sent again. */
export function keptResponse({ status, json, type, etag, headers }: Reply): KeptResponse {
  return type === undefined ? { status, json, etag, headers } : { status, json, type, etag, headers };
}

export function streamReply(stream: NonNullable<Reply["stream"]>): Reply {
  return { status: 200, stream, headers: STREAM_HEADERS };
}

export function notModified(etag: string): Reply {
  return { status: 304, etag };
}

/** Turns anything thrown into a response. Unexpected errors are shown on the terminal, never to the client. */
export function errorReply(thrown: unknown, reporter: Reporter): Reply {
  if (thrown instanceof ClientLeft) return { status: 0, connection: "destroy" };
  if (thrown instanceof StandinError) {
    return { status: thrown.status, json: JSON.stringify(thrown), headers: thrown.headers };
  }
  reporter.fault("A request failed because of a fault in standin.", thrown);
  const error = new StandinError(
    "INTERNAL_ERROR",
    "Something went wrong inside standin; the terminal has the details.",
  );
  return { status: error.status, json: JSON.stringify(error) };
}
