import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { type ConnectionHooks, quoted, type Sql } from "./connection.ts";
import type { Unwanted } from "./statement-watch.ts";

/** The delay before a broken connection is replaced. */
const RECONNECT_MS = 200;

export interface ListeningOptions {
  readonly connect: (hooks: Required<ConnectionHooks>) => Sql;
  readonly channel: string;
  readonly onNotice: (payload: string) => void;
  /** Called after a reconnect: notices may have been missed. */
  readonly onGap: () => void;
}

/** Cancels what the processes are doing, if that is ours; tells which of the second and third group wait for a lock. */
const CANCEL = `SELECT pid, (pid <> ALL($1::text::int[]) AND wait_event_type IS NOT DISTINCT FROM 'Lock') AS waits,
    CASE WHEN pid = ANY($1::text::int[]) OR (pid = ANY($2::text::int[]) AND wait_event_type IS DISTINCT FROM 'Lock')
      THEN pg_cancel_backend(pid) END
  FROM pg_stat_activity
  WHERE pid = ANY($1::text::int[] || $2::text::int[] || $3::text::int[])
    AND usename = current_user AND datname = current_database()`;

/** Listens to the notifications of a channel, and reconnects when the connection breaks. */
export class NotificationListener {
  readonly #options: ListeningOptions;
  #driver: Sql | undefined;
  #reserved: postgres.ReservedSql | undefined;
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
    if (driver === this.#driver) this.#reserved = reserved;
  }

  /** Cancels statements on other connections: this one is never busy. Resolves to the processes that wait for a lock. */
  async cancel({ left, costly, allowed }: Unwanted): Promise<number[]> {
    const rows = await this.#reserved?.unsafe(CANCEL, [`{${left}}`, `{${costly}}`, `{${allowed}}`]);
    return (rows ?? []).filter(({ waits }) => waits).map(({ pid }) => pid as number);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reserved = undefined;
    await this.#driver?.end({ timeout: 0 });
  }

  async #reconnect(broken: Sql): Promise<void> {
    // The driver may report one break several times.
    if (broken !== this.#driver) return;
    this.#driver = undefined;
    this.#reserved = undefined;
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
