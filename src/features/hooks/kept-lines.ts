import type { KeptLog, KeptValues } from "../../store/store.ts";

/** Of a job, there are a few lines; behind so many, most are of no use. */
const MAX_LINES = 1000;

/** A log in one of the values beside the data: a page has few jobs. */
export class KeptLines implements KeptLog {
  readonly #kept: KeptValues;
  readonly #key: string;
  #lines: object[];

  constructor(kept: KeptValues, key: string) {
    this.#kept = kept;
    this.#key = key;
    this.#lines = (kept.read(key) ?? []) as object[];
  }

  read(): readonly object[] {
    return this.#lines;
  }

  rewrite(lines: () => readonly object[]): Promise<void> {
    this.#lines = [...lines()];
    return this.#store();
  }

  get isTooLong(): boolean {
    return this.#lines.length > MAX_LINES;
  }

  append(line: object): Promise<void> {
    this.#lines.push(line);
    return this.#store();
  }

  async close(): Promise<void> {}

  async #store(): Promise<void> {
    const key = this.#key;
    await this.#kept.store(new Map([[key, this.#lines]]), { key, isCurrent: () => true });
  }
}
