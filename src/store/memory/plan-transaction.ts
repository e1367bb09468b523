import type { Work } from "../../base/slices.ts";
import type { Change, TransactionWrite } from "../store.ts";
import { PlannedTransaction, type TransactionBase } from "../transaction.ts";
import { matchingRecords } from "./matching-records.ts";
import type { State } from "./state.ts";

/** Plans all writes of a transaction as one change. */
export function* planTransaction(state: State, { run }: TransactionWrite): Work<Change> {
  const base: TransactionBase = {
    version: state.version,
    collection: (name) => state.collection(name),
    singleton: (name) => state.singleton(name),
    matching: (name, match) => matchingRecords(state.collection(name), match),
  };
  const transaction = new PlannedTransaction(base, state.settings.rules);
  yield* run(transaction);
  return yield* transaction.change();
}
