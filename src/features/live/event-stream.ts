import { Buffer } from "../../base/platform/buffer.ts";
import { atOnce, promptly, type Work } from "../../base/slices.ts";
import { inBackground } from "../../base/timers.ts";
import type { Call } from "../../http/call.ts";
import type { EventSink } from "../../http/response/reply.ts";
import type { OpenStreams } from "./open-streams.ts";

/** Renders an item for a reader: a message in the form of `eventMessage`, or undefined for none. */
export type Render<T> = (item: T) => string | undefined;

/** A reader who has this much still to fetch, beside what it got at its start, is dropped: it can come back, and go on. */
export const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;

/** The most items that wait for their turn: those who cause more must wait themselves. */
const MAX_DELIVERIES = 100;

interface Reader<T> {
  readonly render: Render<T>;
  readonly startBytes: number;
}

/**
 * The readers of a live stream (server-sent events). No request waits for them, and their backlog is bounded: a
 * reader that does not keep up is dropped.
 */
export class EventStream<T> {
  /** A field, because it is read for every request. */
  hasReaders = false;
  readonly #heartbeatMs: number;
  readonly #streams: OpenStreams;
  readonly #readers = new Map<EventSink, Reader<T>>();
  /** Those under way, oldest first. */
  readonly #deliveries: Work<void>[] = [];
  #isDelivering = false;
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(heartbeatMs: number, streams: OpenStreams) {
    this.#heartbeatMs = heartbeatMs;
    this.#streams = streams;
  }

  /** Throws if the server has too many streams for one more. */
  expectRoom(): void {
    this.#streams.expectRoom();
  }

  /** From now on this response gets every thing that is sent, after `messages` that it gets at once. */
  add(res: EventSink, render: Render<T>, messages: readonly string[] = []): void {
    // The first bytes tell the client that the stream is open.
    const start = Buffer.from(`: standin\n\n${messages.join("")}`);
    if (this.#isClosed) {
      res.end(start);
      return;
    }
    res.write(start);
    this.#readers.set(res, { render, startBytes: start.length });
    this.hasReaders = true;
    this.#streams.count++;
    res.once("close", () => this.#remove(res));
    this.#heartbeat ??= inBackground(setInterval(() => this.#beat(), this.#heartbeatMs));
  }

  /** Many readers of a large item get it in slices, so that no other request waits for all of them. */
  send(item: T): void {
    this.#deliveries.push(this.#deliver(item, [...this.#readers.keys()]));
    const oldest = this.#deliveries.length > MAX_DELIVERIES ? this.#deliveries.shift() : undefined;
    if (oldest) atOnce(oldest);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    void promptly(this.#deliverAll());
  }

  *#deliverAll(): Work<void> {
    try {
      for (let delivery = this.#deliveries[0]; delivery; delivery = this.#deliveries[0]) {
        yield* delivery;
        if (this.#deliveries[0] === delivery) this.#deliveries.shift();
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  *#deliver(item: T, readers: readonly EventSink[]): Work<void> {
    // Most readers want to see the same, which need be made once only.
    const rendered = new Map<Render<T>, Buffer | undefined>();
    for (const res of readers) {
      const reader = this.#readers.get(res);
      if (!reader) continue;
      const { render, startBytes } = reader;
      if (!rendered.has(render)) {
        const message = render(item);
        rendered.set(render, message === undefined ? undefined : Buffer.from(message));
      }
      const bytes = rendered.get(render);
      if (bytes) this.#write(res, bytes, startBytes);
      yield;
    }
  }

  /** Ends every stream, so that a server can stop. */
  close(): void {
    for (const delivery of this.#deliveries) atOnce(delivery);
    this.#isClosed = true;
    for (const res of this.#readers.keys()) {
      res.end();
      this.#remove(res);
    }
  }

  /** Keeps connections from being taken for dead, and finds those that are. */
  #beat(): void {
    for (const [res, { startBytes }] of this.#readers) this.#write(res, ": \n\n", startBytes);
  }

  #write(res: EventSink, message: string | Buffer, startBytes: number): void {
    if (res.writableLength <= startBytes + Math.min(MAX_BACKLOG_BYTES, this.#streams.maxBacklogBytes))
      res.write(message);
    else {
      this.#remove(res);
      res.destroy();
    }
  }

  #remove(res: EventSink): void {
    if (!this.#readers.delete(res)) return;
    this.#streams.count--;
    this.hasReaders = this.#readers.size > 0;
    if (this.hasReaders) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

/** Takes the events of a reader as long as its credentials hold, and ends when they no longer do. */
export function admittedSink(res: EventSink, { expectAdmitted }: Call): EventSink {
  if (!expectAdmitted) return res;
  const isAdmitted = (): boolean => {
    try {
      expectAdmitted();
      return true;
    } catch {
      return false;
    }
  };
  return {
    get writableLength() {
      return res.writableLength;
    },
    write(data) {
      if (isAdmitted()) return res.write(data);
      res.end();
      return false;
    },
    end: (data) => res.end(isAdmitted() ? data : undefined),
    destroy: () => res.destroy(),
    once: (event, listener) => res.once(event, listener),
  };
}

/** One server-sent event. `data` is one line, as compact JSON is. */
export function eventMessage(event: string, data: string, id: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}
