import { Buffer } from "../../base/platform/buffer.ts";
import type { EventSink } from "../response/reply.ts";

/** Makes the body of a `Response` from events, one after the other. */
export class WebSink implements EventSink {
  readonly body: ReadableStream<Uint8Array>;
  readonly #listeners: (() => void)[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  get writableLength(): number {
    return -(this.#controller?.desiredSize ?? 0);
  }

  write(data: string | Uint8Array): boolean {
    this.#controller?.enqueue(typeof data === "string" ? Buffer.from(data) : data);
    return true;
  }

  end(data?: string | Uint8Array): void {
    if (data !== undefined) this.write(data);
    this.#controller?.close();
    this.#close();
  }

  destroy(): void {
    this.#controller?.error(new TypeError("The stream was dropped: its reader did not keep up."));
    this.#close();
  }

  once(event: "close" | "drain", listener: () => void): void {
    // `write` never asks to wait.
    if (event === "close") this.#listeners.push(listener);
  }

  #close(): void {
    this.#controller = undefined;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
