import type { State } from "./memory/state.ts";
import type { Change, Exported, RecordEdit, Store } from "./store.ts";

/** A store that holds its data in memory, and can do what only such a store can. */
export interface InMemoryStore extends Store {
  /** The same data as a State that goes its own way from now on. */
  branch(): State;
  /** Everything as it is now, for a reader who is done with it in this turn. */
  peek(): Exported[];
  /** Commits record edits as one change, in this turn; settles when it is kept. */
  edit(edits: readonly RecordEdit[]): Promise<Change>;
}

export function isInMemory(store: Store): store is InMemoryStore {
  return "branch" in store;
}
