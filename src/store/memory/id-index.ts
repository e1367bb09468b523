import { type Id, lookupKey } from "../ids.ts";

/** A fork merges its own entries into a new map when they outgrow this share of the shared one. */
const FOLD_SHARE = 0.25;

/** Stands for the slot of a record that a fork has removed. */
const REMOVED = -1;

/**
 * The slots of records by id. Forks share one large map, and each has only its own differences, so forking costs those and
 * not the collection.
 */
export class IdIndex {
  #base: ReadonlyMap<Id, number> | undefined;
  /** All entries if there is no base; otherwise the differences. */
  #own = new Map<Id, number>();

  get(id: Id): number | undefined {
    const key = lookupKey(id);
    const slot = this.#own.get(key) ?? this.#base?.get(key);
    return slot === REMOVED ? undefined : slot;
  }

  set(id: Id, slot: number): void {
    this.#own.set(lookupKey(id), slot);
  }

  delete(id: Id): void {
    if (this.#base) this.#own.set(lookupKey(id), REMOVED);
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
      this.#base = this.#own;
    } else {
      const folded = new Map(this.#base);
      for (const [key, slot] of this.#own) {
        if (slot === REMOVED) folded.delete(key);
        else folded.set(key, slot);
      }
      this.#base = folded;
    }
    this.#own = new Map();
  }
}
