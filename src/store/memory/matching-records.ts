import { SLOW_STEP, STEP, settled, type Work } from "../../base/slices.ts";
import { metered } from "../../base/work-account.ts";
import { isSlow } from "../../query/filter.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import type { Match } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { isMatch } from "../transaction.ts";
import { type Access, isWorthwhile } from "./access.ts";
import { cheapestAccess } from "./cheapest-access.ts";
import { type Collection, MAX_INDEXED_EDITS } from "./collection.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";

/** The records that a write by filter changes, in the order of the collection; by an index where there is one. */
export function matchingRecords(collection: Collection | undefined, match: Match): Work<readonly StoredRecord[]> {
  return metered(searchMatches(collection, match), match.account);
}

function* searchMatches(collection: Collection | undefined, match: Match): Work<readonly StoredRecord[]> {
  if (!collection) return [];
  const access = accessBy(collection.indexes?.present, collection, match);
  const collected = access ? access.collect(undefined) : collection.lend();
  const candidates = collected instanceof Promise ? yield* settled(collected) : collected;
  const step = match.where.some(isSlow) ? SLOW_STEP : STEP;
  const found: StoredRecord[] = [];
  for (let from = 0; from < candidates.length; from += step) {
    collectMatches(candidates.slice(from, from + step), match, found);
    yield;
  }
  // For the next write of this kind. A larger one would drop the index right after it was built.
  if (!access && found.length <= MAX_INDEXED_EDITS) accessBy(collection.indexes, collection, match);
  return found;
}

/** A loop of its own: inside a generator, the engine would compile it late. */
function collectMatches(candidates: readonly StoredRecord[], match: Match, found: StoredRecord[]): void {
  for (const record of candidates) if (isMatch(record, match)) found.push(record);
}

/** A way to the records that is faster than reading all; undefined where there is none, or an index is missing. */
function accessBy(indexes: Indexes | undefined, collection: Collection, match: Match): Access | undefined {
  const access = cheapestAccess(indexes, { ...EVERYTHING, search: match.search }, match.where);
  if (!access || access instanceof PendingIndex) return undefined;
  return isWorthwhile(access.estimate, collection) ? access : undefined;
}
