import type { StoreHistory } from "../../history.ts";
import type { Journal } from "../journal.ts";
import type { State } from "../state.ts";
import type { KeptChanges } from "./kept-changes.ts";
import { StateHistory } from "./state-history.ts";
import { MemoryHistory, noWrites, type PastData } from "./store-history.ts";

/** Reads the past of data from its latest changes. */
export function openHistory(changes: KeptChanges, present: () => State): StateHistory | undefined {
  return new StateHistory(changes, present);
}

/** Offers the past of data to requests. `openMoment` makes a store of one state, whose writes the journal refuses. */
export function offerHistory<Moment extends object>(
  data: PastData,
  openMoment: (state: State, journal: Journal) => Moment,
): StoreHistory<Moment> | undefined {
  return data.history && new MemoryHistory(data, data.history, (state) => openMoment(state, noWrites(state)));
}
