import type { StoredRecord } from "../../stored-record.ts";

/** Searches whose matches are kept. */
const MAX_SEARCHES = 100;

/** The matches of a search, up to date with so many changes. Never modified, because readers hold it. */
export interface Matches {
  readonly records: readonly StoredRecord[];
  readonly changes: number;
}

/** The matches of recent searches. */
export class KeptMatches {
  /** By key; the one used least recently comes first. */
  readonly #byKey = new Map<string, Matches>();
  /** The most records of all of them. */
  readonly #maxRecords: number;
  #records = 0;

  constructor(maxRecords: number) {
    this.#maxRecords = maxRecords;
  }

  get(key: string): Matches | undefined {
    return this.#byKey.get(key);
  }

  keep(key: string, matches: Matches): void {
    this.#drop(key);
    this.#byKey.set(key, matches);
    this.#records += matches.records.length;
    for (const oldest of this.#byKey.keys()) {
      if (oldest === key || (this.#byKey.size <= MAX_SEARCHES && this.#records <= this.#maxRecords)) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#records -= this.#byKey.get(key)?.records.length ?? 0;
    this.#byKey.delete(key);
  }
}
