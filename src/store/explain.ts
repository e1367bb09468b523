import type { Query } from "../query/query.ts";
import type { Store, Trace } from "./store.ts";

/** How a store finds the records of a query, and what that took. */
export interface Explanation {
  readonly collection: string;
  /** What was done, in order. */
  readonly plan: readonly string[];
  /** Records looked at or handed out. */
  readonly touched: number;
  /** Records that matched before the window was cut. */
  readonly total: number;
  readonly milliseconds: number;
  /** The indexes the collection has now. */
  readonly indexes: readonly string[];
  /** What would make it cheaper, where something would. */
  readonly suggestions?: readonly string[];
}

/** Runs the query and tells how. */
export async function explainQuery(store: Store, collection: string, query: Query): Promise<Explanation> {
  const trace: Trace = { steps: [], touched: 0 };
  const startedAt = performance.now();
  const { total } = await store.find(collection, query, { trace });
  const milliseconds = Number((performance.now() - startedAt).toFixed(3));
  const plan = trace.steps.length > 0 ? trace.steps : ["the records as they stand"];
  const { touched, suggestions = [] } = trace;
  const more = suggestions.length > 0 ? { suggestions } : {};
  return { collection, plan, touched, total, milliseconds, indexes: store.indexes(collection), ...more };
}
