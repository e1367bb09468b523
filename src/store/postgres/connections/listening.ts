import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionHooks, quoted, type Sql } from "./connection.ts";

/** The delay before a broken connection is replaced. */
const RECONNECT_MS = 200;

export interface ListeningOptions {
  readonly connect: (hooks: Required<ConnectionHooks>) => Sql;
  readonly channel: string;
  readonly onNotice: (payload: string) => void;
  /** Called after a reconnect: notices may have been missed. */
  readonly onGap: () => void;
}

/** Listens to the notifications of a channel, and reconnects when the connection breaks. */
export class Listening {
  readonly #options: ListeningOptions;
  #driver: Sql | undefined;
  #isClosed = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { connect, channel, onNotice } = this.#options;
    const driver = connect({ onNotice, onClose: () => void this.#reconnect(driver) });
    this.#driver = driver;
    const reserved = await driver.reserve();
    await reserved.unsafe(`LISTEN ${quoted(channel)}`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#driver?.end({ timeout: 0 });
  }

  async #reconnect(broken: Sql): Promise<void> {
    // The driver may report one break several times.
    if (broken !== this.#driver) return;
    this.#driver = undefined;
    void broken.end({ timeout: 0 });
    while (!this.#isClosed) {
      await sleep(RECONNECT_MS, undefined, { ref: false });
      try {
        await this.start();
        if (this.#isClosed) await this.close();
        return this.#options.onGap();
      } catch {
        // Not back yet. The failed driver has closed itself, or the next one replaces it.
        this.#driver = undefined;
      }
    }
  }
}
