/** Smaller files are saved right after a burst of writes; larger ones cost more, so they wait longer. */
const SMALL_BYTES = 10 * 1024 * 1024;
/** For small files: current within 100 ms of the last write and 1 s of the oldest unsaved one, the saving included. */
const SMALL = { quietMs: 40, longestMs: 700 };
const LARGE = { quietMs: 1000, longestMs: 10_000 };
const RETRY_MS = 1000;

/** Decides when to save: soon after the last change, and not too long after the first unsaved one. */
export class SaveSchedule {
  readonly #save: () => Promise<number | undefined>;
  #bytes: number;
  #timer: NodeJS.Timeout | undefined;
  #firstAt: number | undefined;
  #lastAt = 0;
  #isSaving = false;
  #isStopped = false;

  /** `bytes` is the size of the files; `save` returns their new size. */
  constructor(bytes: number, save: () => Promise<number | undefined>) {
    this.#bytes = bytes;
    this.#save = save;
  }

  get isSmall(): boolean {
    return this.#bytes < SMALL_BYTES;
  }

  /** Notes the size of the files after a save that the schedule did not ask for. */
  saved(bytes: number): void {
    this.#bytes = bytes;
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
    return this.isSmall ? SMALL : LARGE;
  }

  /** Hot path: one timer at a time, re-armed when it fires too early, so that a write costs no timer. */
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
