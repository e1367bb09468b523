import { inBackground } from "../../base/timers.ts";
import type { FileStore } from "./file-store.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const EVERY_MS = DAY_MS / 4;
/** Many servers run for less than a day: each looks once, when its start is long done. */
const FIRST_MS = 300_000;

export interface SweepParts {
  readonly store: FileStore;
  /** The hashes that are in use. */
  readonly used: () => Promise<ReadonlySet<string>>;
  /** Of the real time, whatever the clock of the data says. */
  readonly now: () => number;
  /** Whether to sweep unasked. */
  readonly isAllowed?: () => Promise<boolean>;
}

export interface Swept {
  readonly kept: number;
  readonly trashed: number;
  readonly removed: number;
}

/** Sets files aside that nothing has named for a day, and ends them a week later. */
export class Sweep {
  readonly #parts: SweepParts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  /** Sweeps soon, and then now and again. */
  start(fail: (thrown: unknown) => void): void {
    const sweep = async (): Promise<void> => {
      if (await this.#parts.isAllowed?.()) await this.run();
    };
    const sweepAfter = (ms: number): void => {
      this.#timer = inBackground(
        setTimeout(() => {
          sweepAfter(EVERY_MS);
          void sweep().catch(fail);
        }, ms),
      );
    };
    if (!this.#timer) sweepAfter(FIRST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async run(): Promise<Swept> {
    const { store, used, now } = this.#parts;
    const before = now() - DAY_MS;
    const files = await store.list();
    const old = files.filter(({ usedAt }) => usedAt < before);
    const named = old.length > 0 ? await used() : new Set();
    let trashed = 0;
    for (const { sha256 } of old) if (!named.has(sha256) && (await store.remove(sha256, before))) trashed++;
    const removed = await store.forget(now() - WEEK_MS);
    return { kept: files.length - trashed, trashed, removed };
  }

  /** Brings back files that were set aside although something names them: the data may be older than they are. */
  async recover(): Promise<void> {
    const { store, used } = this.#parts;
    const aside = await store.aside();
    if (aside.length === 0) return;
    const named = await used();
    for (const sha256 of aside) if (named.has(sha256)) await store.recall(sha256);
  }
}
