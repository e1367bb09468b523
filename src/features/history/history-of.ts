import { StandinError } from "../../base/errors.ts";
import type { StoreHistory } from "../../store/history.ts";
import type { Store } from "../../store/store.ts";

/** The history of a store. Throws where none is kept. */
export function historyOf(store: Store): StoreHistory<Store> {
  if (store.history) return store.history;
  throw withoutHistory(store);
}

/** The same with the versions that other processes have made. */
export async function currentHistory(store: Store): Promise<StoreHistory<Store>> {
  const history = historyOf(store);
  await history.refresh?.();
  return history;
}

export function withoutHistory({ place }: Store): StandinError {
  return new StandinError("HISTORY_OFF", `No history is kept of this data (${place}).`);
}
