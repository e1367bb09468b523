import type { HistoryLimits, StoreHistory } from "../../history.ts";
import type { Journal } from "../journal.ts";
import type { State } from "../state.ts";
import { StateHistory } from "./state-history.ts";
import { MemoryHistory, noWrites, type PastData } from "./store-history.ts";

/** Keeps the past of data from now on. */
export function openHistory(limits: HistoryLimits, present: () => State): StateHistory | undefined {
  return new StateHistory(limits, present);
}

/** Offers the past of data to requests. `openMoment` makes a store of one state, whose writes the journal refuses. */
export function offerHistory<Moment extends object>(
  data: PastData,
  openMoment: (state: State, journal: Journal) => Moment,
): StoreHistory<Moment> | undefined {
  return data.history && new MemoryHistory(data, data.history, (state) => openMoment(state, noWrites(state)));
}
