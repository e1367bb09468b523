import { type Id, lookupKey } from "../ids.ts";
import type { StoredRecord } from "../stored-record.ts";

/** Fold the own entries into a new map when they outgrow this share of the shared one. */
const FOLD_SHARE = 0.25;

/**
 * Records by id. A fork shares the large map of both sides and keeps only differences of its own, so forking costs the
 * differences, not the collection.
 */
export class IdIndex {
  #base: ReadonlyMap<Id, StoredRecord> | undefined;
  /** Everything when there is no base; else what differs from it, null standing for removed. */
  #own = new Map<Id, StoredRecord | null>();

  get(id: Id): StoredRecord | undefined {
    const key = lookupKey(id);
    const own = this.#own.get(key);
    if (own !== undefined) return own ?? undefined;
    return this.#base?.get(key);
  }

  set(id: Id, record: StoredRecord): void {
    this.#own.set(lookupKey(id), record);
  }

  delete(id: Id): void {
    if (this.#base) this.#own.set(lookupKey(id), null);
    else this.#own.delete(lookupKey(id));
  }

  /** A second index with the same entries; from now on the two go their own ways. */
  fork(): IdIndex {
    if (!this.#base || this.#own.size > this.#base.size * FOLD_SHARE) this.#fold();
    const fork = new IdIndex();
    fork.#base = this.#base;
    fork.#own = new Map(this.#own);
    return fork;
  }

  #fold(): void {
    if (!this.#base) {
      this.#base = this.#own as Map<Id, StoredRecord>;
    } else {
      const folded = new Map(this.#base);
      for (const [key, record] of this.#own) {
        if (record) folded.set(key, record);
        else folded.delete(key);
      }
      this.#base = folded;
    }
    this.#own = new Map();
  }
}
