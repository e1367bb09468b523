import { EVERYTHING } from "../../query/parse-query.ts";
import { STEP, type Work } from "../../slices.ts";
import type { Match } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { isMatch } from "../transaction.ts";
import { cheapestAccess } from "./cheapest-access.ts";
import type { Collection } from "./collection.ts";
import { isSlow, isWorthwhile, SLOW_STEP } from "./find-records.ts";
import { PendingIndex } from "./indexes/index-set.ts";

/** The records that a write by filter changes, in the order of the collection; by an index where there is one. */
export function* matchingRecords(collection: Collection, match: Match): Work<readonly StoredRecord[]> {
  const access = cheapestAccess(collection, { ...EVERYTHING, search: match.search }, match.where);
  const isUsable = access !== undefined && !(access instanceof PendingIndex) && isWorthwhile(access, collection);
  const candidates = isUsable ? access.collect() : collection.lend();
  const step = match.where.some(isSlow) ? SLOW_STEP : STEP;
  const found: StoredRecord[] = [];
  for (let at = 0; at < candidates.length; at++) {
    if (isMatch(candidates[at]!, match)) found.push(candidates[at]!);
    if (at % step === 0) yield;
  }
  return found;
}
