import { setTimeout as sleep } from "node:timers/promises";
import { quoted, type Sql } from "./connection.ts";

/** How long a broken line stays so. */
const AGAIN_MS = 200;

/** What listening must be told to connect: whom to call with a notification, and when the line breaks. */
export type ListeningConnect = (hooks: { onNotice: (payload: string) => void; onClose: () => void }) => Sql;

/** Hears the notifications of a channel. A line that breaks is made anew; `onGap` hears when something may have been missed. */
export class Listening {
  readonly #connect: ListeningConnect;
  readonly #channel: string;
  readonly #onNotice: (payload: string) => void;
  readonly #onGap: () => void;
  #driver: Sql | undefined;
  #isClosed = false;

  constructor(connect: ListeningConnect, channel: string, onNotice: (payload: string) => void, onGap: () => void) {
    this.#connect = connect;
    this.#channel = channel;
    this.#onNotice = onNotice;
    this.#onGap = onGap;
  }

  async start(): Promise<void> {
    const driver = this.#connect({ onNotice: this.#onNotice, onClose: () => void this.#again(driver) });
    this.#driver = driver;
    const line = await driver.reserve();
    await line.unsafe(`LISTEN ${quoted(this.#channel)}`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#driver?.end({ timeout: 0 });
  }

  async #again(broken: Sql): Promise<void> {
    // Several events may tell of one break.
    if (broken !== this.#driver) return;
    this.#driver = undefined;
    void broken.end({ timeout: 0 });
    while (!this.#isClosed) {
      await sleep(AGAIN_MS, undefined, { ref: false });
      try {
        await this.start();
        if (this.#isClosed) await this.close();
        return this.#onGap();
      } catch {
        // Not back yet; whoever started has let go of the driver by closing it, or will be replaced by the next.
        this.#driver = undefined;
      }
    }
  }
}
