/** Below this a file is saved at once after a burst of writes; a larger one costs more, so it waits longer. */
const SMALL_BYTES = 10 * 1024 * 1024;
/** For small files: current within 100 ms of the last write and 1 s of the oldest unsaved one, the saving included. */
const SMALL = { quietMs: 40, longestMs: 700 };
const LARGE = { quietMs: 1000, longestMs: 10_000 };
const RETRY_MS = 1000;

/** Decides when unsaved changes are saved: soon after the last one, and not too long after the first. */
export class SaveSchedule {
  readonly #save: () => Promise<number | undefined>;
  #bytes: number;
  #timer: NodeJS.Timeout | undefined;
  #firstAt: number | undefined;
  #lastAt = 0;
  #isSaving = false;
  #isStopped = false;

  /** `bytes` is how large the files are; `save` gives back how large they became. */
  constructor(bytes: number, save: () => Promise<number | undefined>) {
    this.#bytes = bytes;
    this.#save = save;
  }

  changed(): void {
    this.#lastAt = performance.now();
    this.#firstAt ??= this.#lastAt;
    if (!this.#isSaving) this.#wait(this.#pace.quietMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  get #pace(): typeof SMALL {
    return this.#bytes < SMALL_BYTES ? SMALL : LARGE;
  }

  /** One timer at a time, looked at when it fires: a write under load must not cost a timer. */
  #wait(ms: number): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = performance.now();
      const { quietMs, longestMs } = this.#pace;
      const dueAt = Math.min(this.#lastAt + quietMs, (this.#firstAt ?? now) + longestMs);
      if (dueAt > now) this.#wait(dueAt - now);
      else void this.#run();
    }, ms);
  }

  async #run(): Promise<void> {
    this.#isSaving = true;
    const firstAt = this.#firstAt;
    this.#firstAt = undefined;
    try {
      this.#bytes = (await this.#save()) ?? this.#bytes;
      if (this.#firstAt !== undefined) this.#wait(this.#pace.quietMs);
    } catch {
      this.#firstAt ??= firstAt;
      this.#wait(RETRY_MS);
    } finally {
      this.#isSaving = false;
    }
  }
}
