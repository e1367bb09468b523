import { arrangeRows } from "../query/group-rows.ts";
import type { Query } from "../query/query.ts";
import type { GroupQuery, Reads, Trace } from "./store.ts";

/** The way a store finds the records of a query, and its cost. */
export interface Explanation {
  readonly collection: string;
  /** The steps, in order. */
  readonly plan: readonly string[];
  /** The number of records read. */
  readonly touched: number;
  /** The number of matches, or of rows with groups, before the window; undefined with a cursor, which counts none. */
  readonly total?: number | undefined;
  readonly milliseconds: number;
  /** The indexes the collection has now. */
  readonly indexes: readonly string[];
  /** Advice that would make it cheaper, if there is any. */
  readonly suggestions?: readonly string[];
}

interface ExplainRequest {
  readonly collection: string;
  readonly query: Query;
}

/** Runs the query and explains how. */
export async function explainQuery(store: Reads, request: ExplainRequest): Promise<Explanation> {
  const { collection } = request;
  const trace: Trace = { steps: [], touched: 0 };
  const startedAt = performance.now();
  const total = await countMatches(store, request, trace);
  const milliseconds = Number((performance.now() - startedAt).toFixed(3));
  const plan = trace.steps.length > 0 ? trace.steps : ["the records as they stand"];
  const { touched, suggestions = [] } = trace;
  const more = suggestions.length > 0 ? { suggestions } : {};
  return { collection, plan, touched, total, milliseconds, indexes: store.indexes(collection), ...more };
}

async function countMatches(store: Reads, { collection, query }: ExplainRequest, trace: Trace) {
  if (isGrouped(query)) {
    try {
      const { rows } = await store.group(collection, query, { trace });
      return (await arrangeRows(rows, query)).length;
    } finally {
      query.payer?.account.release();
    }
  }
  const { total } = await store.find(collection, query, { trace });
  return query.window.kind === "after" ? undefined : total;
}

function isGrouped(query: Query): query is GroupQuery {
  return query.grouping !== undefined;
}
