import type { Exported } from "../store.ts";

/**
 * The data that the files may hold while changes are unsaved: that of the last save, or of one that was begun since. Costs a
 * pointer per record, as records are shared with the data in memory.
 */
export class WrittenMembers {
  #last: () => readonly Exported[];
  #begun: (readonly Exported[])[] = [];

  /** `loaded` returns the data as it was read from the files. */
  constructor(loaded: () => readonly Exported[]) {
    this.#last = loaded;
  }

  begin(members: readonly Exported[]): void {
    // A save that failed may have replaced a file, and the one after it not yet.
    this.#begun = [...this.#begun.slice(-1), members];
  }

  done(members: readonly Exported[]): void {
    this.restart(() => members);
  }

  /** Starts over with files that were read again. */
  restart(loaded: () => readonly Exported[]): void {
    this.#last = loaded;
    this.#begun = [];
  }

  all(): readonly (readonly Exported[])[] {
    return [this.#last(), ...this.#begun];
  }
}
