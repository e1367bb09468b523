/** Programs that read small files themselves find each of their writes in them at once. */
const SMALL_BYTES = 10 * 1024 * 1024;
/** A save after a quiet second waits for the next few writes, and is done within 100 ms. */
const BURST_MS = 40;
const QUIET_MS = 1000;
/** The least time between two saves, in general and in times the duration of the first: a save rewrites whole files. */
const PAUSE_MS = 1000;
const PAUSE_FACTOR = 20;

/** Decides when to save: soon after a change that follows a quiet second, otherwise after a pause since the last save. */
export class SaveSchedule {
  readonly #save: () => Promise<number | undefined>;
  #bytes: number;
  #timer: NodeJS.Timeout | undefined;
  /** When the last change came, or the last save ended. */
  #lastAt = Number.NEGATIVE_INFINITY;
  /** The end of the pause. */
  #restsUntil = 0;
  #hasChanges = false;
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

  /** Hot path: sets no timer if there is one, unless the change follows a quiet second. */
  changed(): void {
    const now = performance.now();
    if (now - this.#lastAt >= QUIET_MS) this.#restsUntil = 0;
    else if (this.#hasChanges) {
      this.#lastAt = now;
      return;
    }
    this.#lastAt = now;
    this.#hasChanges = true;
    if (!this.#isSaving) this.#wait(now);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #wait(now: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), Math.max(BURST_MS, this.#restsUntil - now));
  }

  async #run(): Promise<void> {
    this.#isSaving = true;
    this.#hasChanges = false;
    const begunAt = performance.now();
    try {
      this.#bytes = (await this.#save()) ?? this.#bytes;
    } catch {
      this.#hasChanges = true;
    }
    this.#isSaving = false;
    const now = performance.now();
    this.#lastAt = now;
    this.#restsUntil = now + Math.max(PAUSE_MS, PAUSE_FACTOR * (now - begunAt));
    if (this.#hasChanges) this.#wait(now);
  }
}
