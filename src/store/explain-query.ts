import type { Query } from "../query/query.ts";
import type { GroupQuery, Store, Trace } from "./store.ts";

/** The way a store finds the records of a query, and its cost. */
export interface Explanation {
  readonly collection: string;
  /** The steps, in order. */
  readonly plan: readonly string[];
  /** The number of records read. */
  readonly touched: number;
  /** The number of matches, or of groups, before the window was applied; 0 behind a cursor, where none are counted. */
  readonly total: number;
  readonly milliseconds: number;
  /** The indexes the collection has now. */
  readonly indexes: readonly string[];
  /** Advice that would make it cheaper, if there is any. */
  readonly suggestions?: readonly string[];
}

/** Runs the query and explains how. */
export async function explainQuery(store: Store, collection: string, query: Query): Promise<Explanation> {
  const trace: Trace = { steps: [], touched: 0 };
  const startedAt = performance.now();
  const total = isGrouped(query)
    ? (await store.group(collection, query, { trace })).rows.length
    : (await store.find(collection, query, { trace })).total;
  const milliseconds = Number((performance.now() - startedAt).toFixed(3));
  const plan = trace.steps.length > 0 ? trace.steps : ["the records as they stand"];
  const { touched, suggestions = [] } = trace;
  const more = suggestions.length > 0 ? { suggestions } : {};
  return { collection, plan, touched, total, milliseconds, indexes: store.indexes(collection), ...more };
}

function isGrouped(query: Query): query is GroupQuery {
  return query.grouping !== undefined;
}
