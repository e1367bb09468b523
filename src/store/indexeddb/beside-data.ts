import type { KeptValues } from "../store.ts";
import { type Entry, eventOf } from "./entry.ts";
import { beginBeside, completionOf, type IdbDatabase } from "./idb.ts";

/** How long a value waits for a later one. */
const BURST_MS = 100;

/** Keeps the values of features in the database of the data, each under its name. */
export class BesideData implements KeptValues {
  readonly past: KeptValues["past"];
  readonly #database: IdbDatabase;
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #waiting = new Map<string, () => unknown>();

  constructor(database: IdbDatabase, entries: readonly Entry[], values: ReadonlyMap<string, unknown>) {
    this.#database = database;
    this.#values = values;
    this.past = entries.flatMap((entry) => {
      const event = eventOf(entry);
      return event ? { time: entry.time, event } : [];
    });
  }

  read(key: string): unknown {
    return this.#values.get(key);
  }

  write(key: string, value: () => unknown): void {
    if (this.#waiting.size === 0) setTimeout(() => void this.flush(), BURST_MS);
    this.#waiting.set(key, value);
  }

  /** Values that do not fit are lost with this run; the data is not. */
  async flush(): Promise<void> {
    const values = [...this.#waiting].map(([key, value]) => ({ key, value: value() }));
    this.#waiting.clear();
    if (values.length === 0) return;
    try {
      const transaction = beginBeside(this.#database);
      for (const value of values) transaction.objectStore("kept").put(value);
      await completionOf(transaction);
    } catch {
      // Said with the next write of data.
    }
  }
}
