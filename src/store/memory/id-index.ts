import { atOnce, STEP, type Work } from "../../base/slices.ts";
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
    atOnce(this.fold());
    const fork = new IdIndex();
    fork.#base = this.#base;
    fork.#own = new Map(this.#own);
    return fork;
  }

  /** Makes the next fork cheap, with pauses, while nothing changes. */
  *fold(): Work<void> {
    if (this.#base && this.#own.size <= this.#base.size * FOLD_SHARE) return;
    this.#base = this.#base ? yield* merged(this.#base, this.#own) : this.#own;
    this.#own = new Map();
  }
}

function* merged(base: ReadonlyMap<Id, number>, own: ReadonlyMap<Id, number>): Work<ReadonlyMap<Id, number>> {
  const all = new Map<Id, number>();
  let count = 0;
  for (const [key, slot] of base) {
    if (!own.has(key)) all.set(key, slot);
    if (++count % STEP === 0) yield;
  }
  for (const [key, slot] of own) {
    if (slot !== REMOVED) all.set(key, slot);
    if (++count % STEP === 0) yield;
  }
  return all;
}
