import type { ServerResponse } from "node:http";

/** What one reader gets to see of a thing: a message in the form of `eventMessage`, or nothing. */
export type Render<T> = (item: T) => string | undefined;

/** A reader who has this much still to fetch is dropped: it can come back, and go on where it was. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;

/**
 * The readers of a live stream (server-sent events). Nobody waits for them, and nothing is kept for them without bound:
 * whoever does not keep up is dropped.
 */
export class EventStream<T> {
  readonly #heartbeatMs: number;
  readonly #readers = new Map<ServerResponse, Render<T>>();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(heartbeatMs: number) {
    this.#heartbeatMs = heartbeatMs;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** From now on this response gets every thing that is sent, after `messages` that it gets at once. */
  add(res: ServerResponse, render: Render<T>, messages: readonly string[] = []): void {
    // The first bytes tell the client that the stream is open.
    res.write(`: standin\n\n${messages.join("")}`);
    this.#readers.set(res, render);
    res.once("close", () => this.#remove(res));
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref();
  }

  send(item: T): void {
    // Most readers want to see the same, which need be written once only.
    const rendered = new Map<Render<T>, string | undefined>();
    for (const [res, render] of this.#readers) {
      if (!rendered.has(render)) rendered.set(render, render(item));
      const message = rendered.get(render);
      if (message !== undefined) this.#write(res, message);
    }
  }

  /** Ends every stream, so that a server can stop. */
  close(): void {
    for (const res of this.#readers.keys()) {
      res.end();
      this.#remove(res);
    }
  }

  /** Keeps connections from being taken for dead, and finds those that are. */
  #beat(): void {
    for (const res of this.#readers.keys()) this.#write(res, ": \n\n");
  }

  #write(res: ServerResponse, message: string): void {
    if (res.writableLength <= MAX_BACKLOG_BYTES) res.write(message);
    else {
      this.#remove(res);
      res.destroy();
    }
  }

  #remove(res: ServerResponse): void {
    this.#readers.delete(res);
    if (this.#readers.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

/** One server-sent event. `data` is one line, as compact JSON is. */
export function eventMessage(event: string, data: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
