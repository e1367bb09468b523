import type { Eventually } from "../../base/eventually.ts";
import { atOnce, inSlices, MAX_AT_ONCE, SLOW_STEP, STEP, type Work } from "../../base/slices.ts";
import { metered, type Payer } from "../../base/work-account.ts";
import { isCondition, isSlow, meets } from "../../query/filter.ts";
import type { Filter } from "../../query/query.ts";
import { containsInFields } from "../../query/search.ts";
import type { StoredRecord } from "../stored-record.ts";

/** The comparisons of a query that is simple enough for full steps. */
const SIMPLE_COMPARISONS = 8;

export interface Filtering {
  readonly records: readonly StoredRecord[];
  readonly where: readonly Filter[];
  /** The text of `q`; empty for none. */
  readonly search: string;
  readonly payer: Payer | undefined;
}

/** The records that meet all filters and contain the search text; in slices if there are many. */
export function filterRecords({ records, where, search, payer }: Filtering): Eventually<readonly StoredRecord[]> {
  const step = where.some(isSlow) ? SLOW_STEP : Math.max(1, Math.floor(STEP / weightOf(where)));
  const work = filtering(records, createTest(where, search), step);
  return takesLong(records, where) ? inSlices(metered(work, payer?.account)) : atOnce(work);
}

/** Tests single records for what a query asks. */
export function createTest(where: readonly Filter[], search: string): (record: StoredRecord) => boolean {
  return ({ value }) =>
    (search === "" || containsInFields(value, search)) && where.every((filter) => meets(value, filter));
}

/** Whether the work must be done in slices, to let other requests run. */
export function takesLong(records: readonly StoredRecord[], where: readonly Filter[]): boolean {
  return records.length * weightOf(where) > MAX_AT_ONCE || where.some(isSlow);
}

/** How many times as long as for a simple query the test of a record takes. */
function weightOf(where: readonly Filter[]): number {
  let comparisons = 0;
  for (const filter of where) comparisons += comparisonsOf(filter);
  return Math.max(1, comparisons / SIMPLE_COMPARISONS);
}

function comparisonsOf(filter: Filter): number {
  if (!isCondition(filter)) return filter.parts.reduce((sum, part) => sum + comparisonsOf(part), 0);
  return filter.comparison.isLookup ? 1 : filter.values.length;
}

function* filtering(
  records: readonly StoredRecord[],
  keeps: (record: StoredRecord) => boolean,
  step: number,
): Work<StoredRecord[]> {
  const matches: StoredRecord[] = [];
  for (let at = 0; at < records.length; at++) {
    const record = records[at];
    if (record && keeps(record)) matches.push(record);
    if (at % step === 0) yield;
  }
  return matches;
}
