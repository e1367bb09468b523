import type { JsonObject } from "../base/json/json.ts";
import type { State } from "./memory/state.ts";
import type { Change, Exported, Store, ValueEdit } from "./store.ts";

/** A store with its data in memory, and the operations that only such a store has. */
export interface InMemoryStore extends Store {
  /** An independent State with the same data. */
  branch(): State;
  /** All current data, for a reader that is done with it in this turn. */
  peek(): Exported[];
  /** All data as programs may find it in a file of this store that lacks the latest changes, for a reader as that of `peek`. */
  staleCopies(): readonly (readonly Exported[])[];
  /** Finds all records by another field from now on; warns of those without it. Nothing is written: the data stays the same. */
  rekey(idKey: string, warn?: (text: string) => void): void;
  /** Commits record edits as one change, in this turn; settles when it is durable. */
  edit(edits: readonly ValueEdit[]): Promise<Change>;
  /** Replaces all data, in this turn; settles when that is durable. */
  swapAtOnce(database: JsonObject): Promise<void>;
}

export function isInMemory(store: Store): store is InMemoryStore {
  return "branch" in store;
}
