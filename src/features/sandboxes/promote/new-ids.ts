import type { Work } from "../../../base/slices.ts";
import { type Id, lookupKey } from "../../../store/ids.ts";
import type { RecordChange } from "../../../store/memory/changes-between.ts";
import type { Transaction } from "../../../store/store.ts";

export interface Renumbered {
  readonly collection: string;
  readonly from: Id;
  readonly to: Id;
}

export type IsUsed = (collection: string, id: Id) => boolean;

/**
 * The new ids of records that both sides have created. They are given before anything is written, and never one that means
 * a record in the sandbox: other new records need theirs, and references tell them apart by it.
 *
 * @internal
 */
export class NewIds {
  readonly given: Renumbered[] = [];
  /** By the old ones. */
  readonly byCollection = new Map<string, Map<Id, Id>>();
  readonly #data: Transaction;
  readonly #isUsed: IsUsed;
  readonly #taken = new Map<string, Set<Id>>();
  /** The largest one given, so that no number is tried twice. */
  readonly #largest = new Map<string, number>();

  constructor(data: Transaction, isUsed: IsUsed) {
    this.#data = data;
    this.#isUsed = isUsed;
  }

  of({ name, id }: RecordChange): Id | undefined {
    return id === undefined ? undefined : this.byCollection.get(name)?.get(lookupKey(id));
  }

  *give({ name, id: from }: RecordChange): Work<void> {
    const taken = this.#taken.get(name) ?? new Set<Id>();
    this.#taken.set(name, taken);
    const to = yield* this.#data.newId(name, {
      above: this.#largest.get(name) ?? Number.NEGATIVE_INFINITY,
      isReserved: (id) => taken.has(lookupKey(id)) || this.#isUsed(name, id),
    });
    taken.add(lookupKey(to));
    if (typeof to === "number") this.#largest.set(name, to);
    const ids = this.byCollection.get(name) ?? new Map<Id, Id>();
    this.byCollection.set(name, ids.set(lookupKey(from!), to));
    this.given.push({ collection: name, from: from!, to });
  }
}
