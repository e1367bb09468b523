import { EVERYTHING } from "../query/parse-query.ts";
import type { Query } from "../query/query.ts";

/** The query for the records from one position up to, not including, another. */
export function slice(start: number, end: number): Query {
  return { ...EVERYTHING, window: { kind: "slice", start, end } };
}
