import { type Id, lookupKey } from "../ids.ts";
import type { StoredRecord } from "../stored-record.ts";

/** A fork merges its own entries into a new map when they outgrow this share of the shared one. */
const FOLD_SHARE = 0.25;

/**
 * Records by id. Forks share one large map, and each has only its own differences, so forking costs the differences and not
 * the collection.
 */
export class IdIndex {
  #base: ReadonlyMap<Id, StoredRecord> | undefined;
  /** All entries if there is no base; otherwise the differences, with null for a removed record. */
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

  /** Creates an independent index with the same entries. */
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
