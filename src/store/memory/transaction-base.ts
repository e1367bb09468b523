import type { Work } from "../../base/slices.ts";
import type { Completion } from "../completion.ts";
import type { Id, NewId } from "../ids.ts";
import type { Match } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { BaseCollection, TransactionBase } from "../transaction.ts";
import type { Collection } from "./collection.ts";
import { matchingRecords } from "./matching-records.ts";
import type { State } from "./state.ts";

/** The data of a State, for a transaction to begin with. */
export function transactionBase(state: State): TransactionBase {
  return {
    version: state.version,
    singleton: (name) => state.singleton(name),
    collection: (name) => {
      const collection = state.collection(name);
      return collection && new CollectionInMemory(collection);
    },
  };
}

class CollectionInMemory implements BaseCollection {
  readonly name: string;
  readonly idKey: string;
  readonly nextSlot: number;
  readonly completion: Completion | undefined;
  readonly #collection: Collection;

  constructor(collection: Collection) {
    this.#collection = collection;
    this.name = collection.name;
    this.idKey = collection.idKey;
    this.nextSlot = collection.nextSlot;
    this.completion = collection.completion;
  }

  get(id: Id): StoredRecord | undefined {
    return this.#collection.get(id);
  }

  newIds(): NewId {
    return this.#collection.newIds();
  }

  referring(key: string, id: string, isRepeated: boolean): readonly StoredRecord[] {
    return this.#collection.referring(key, id, isRepeated);
  }

  existing(ids: readonly string[]): ReadonlySet<string> {
    return this.#collection.existing(ids);
  }

  holding(field: string, texts: readonly string[]): readonly StoredRecord[] {
    return this.#collection.holding(field, texts);
  }

  matching(match: Match): Work<readonly StoredRecord[]> {
    return matchingRecords(this.#collection, match);
  }
}
