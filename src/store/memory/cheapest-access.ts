import { promptly, settled, type Work } from "../../base/slices.ts";
import type { WorkAccount } from "../../base/work-account.ts";
import { conjunctsOf, isCondition, isEquality, isRange } from "../../query/filter.ts";
import type { Combination, Condition, Filter, Query } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";
import { type Access, isWorthwhile } from "./access.ts";
import { equalityAccess } from "./equality-access.ts";
import { inOrder } from "./in-order.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";
import { rangeAccess } from "./range-access.ts";
import { mergedBySlot } from "./rewrite-records.ts";
import { likeAccess, searchAccess } from "./text-access.ts";

/** The most paths that may build an index: a query that needs more than fit into an index set would never end. */
const MAX_PATHS = 8;

/**
 * The access with the fewest records; undefined when no index helps or the collection is too small for indexes. While an
 * index that may help is being built, that.
 */
export function cheapestAccess(
  indexes: Indexes | undefined,
  query: Query,
  where: readonly Filter[],
): Access | PendingIndex | undefined {
  if (!indexes) return undefined;
  // Hot paths: one equality or one range, as most filters are.
  if (query.search === "") {
    const [first, second] = where;
    if (first && !second && isEquality(first)) return equalityAccess(indexes, first);
    if (isOneRange(where)) return rangeAccess(indexes, where);
  }
  const candidates = new AccessFinder(indexes).accessesFor(where);
  if (query.search !== "") candidates.push(searchAccess(indexes, query.search));
  return cheapest(candidates);
}

/** Whether the filters are the bounds of one path. */
function isOneRange(where: readonly Filter[]): where is readonly Condition[] {
  let path: string | undefined;
  for (const filter of where) {
    if (!isRange(filter)) return false;
    path ??= filter.path.text;
    if (filter.path.text !== path) return false;
  }
  return path !== undefined;
}

type Candidate = Access | PendingIndex | undefined;

/** The candidate with the fewest records, once no index is being built. */
function cheapest(candidates: readonly Candidate[]): Candidate {
  let best: Access | undefined;
  const pending: PendingIndex[] = [];
  for (const access of candidates) {
    if (access instanceof PendingIndex) pending.push(access);
    else if (access && (!best || access.estimate < best.estimate)) best = access;
  }
  return pending.length === 0 ? best : allOf(pending);
}

function allOf(pending: readonly PendingIndex[]): PendingIndex {
  return new PendingIndex(Promise.all(pending.map(({ done }) => done)).then(() => {}));
}

/** Finds the accesses for the filters of one query. */
class AccessFinder {
  readonly #indexes: Indexes;
  readonly #paths = new Set<string>();

  constructor(indexes: Indexes) {
    this.#indexes = indexes;
  }

  /** The accesses for filters that must all be met. */
  accessesFor(filters: readonly Filter[]): Candidate[] {
    const candidates: Candidate[] = [];
    const ranges = new Map<string, Condition[]>();
    for (const filter of filters) {
      if (!isCondition(filter)) candidates.push(this.#unionFor(filter));
      else if (filter.isNegated || !this.#mayUse(filter)) continue;
      else if (isRange(filter)) addRange(ranges, filter);
      else candidates.push(this.#accessFor(filter));
    }
    for (const conditions of ranges.values()) candidates.push(rangeAccess(this.#indexes, conditions));
    return candidates;
  }

  /** For alternatives: all records of the cheapest accesses to each, unless these are more than a scan would read. */
  #unionFor(combination: Combination): Candidate {
    const parts = combination.parts.map(conjunctsOf);
    const accesses: Access[] = [];
    const pending: PendingIndex[] = [];
    let estimate = 0;
    for (const filters of parts) {
      const candidate = cheapest(this.accessesFor(filters));
      if (candidate instanceof PendingIndex) {
        pending.push(candidate);
        continue;
      }
      estimate += candidate?.estimate ?? Number.POSITIVE_INFINITY;
      // Looking for the records of a hundred more alternatives would hold others up.
      if (!candidate || !isWorthwhile(estimate, this.#indexes.owner)) return undefined;
      accesses.push(candidate);
    }
    if (pending.length > 0) return allOf(pending);
    const isMet = accesses.every(({ meets }, at) => parts[at]?.every((filter) => meets.includes(filter)));
    return {
      name: accesses.length === 0 ? "no alternative" : [...new Set(accesses.map(({ name }) => name))].join(" or "),
      meets: isMet ? [combination] : [],
      estimate,
      isExact: false,
      collect: (account) => promptly(unionOf(accesses, account)),
    };
  }

  #accessFor(condition: Condition): Candidate {
    switch (condition.comparison.index) {
      case "equality":
        return equalityAccess(this.#indexes, condition);
      case "text":
        return likeAccess(this.#indexes, condition);
      default:
        return undefined;
    }
  }

  #mayUse({ path }: Condition): boolean {
    if (this.#paths.size >= MAX_PATHS && !this.#paths.has(path.text)) return false;
    this.#paths.add(path.text);
    return true;
  }
}

/** Collects from one access after the other: at the same time, each would take a slice of the same turn. */
function* unionOf(accesses: readonly Access[], account: WorkAccount | undefined): Work<readonly StoredRecord[]> {
  const lists: (readonly StoredRecord[])[] = [];
  for (const access of accesses) {
    const list = access.collect(account);
    lists.push(list instanceof Promise ? yield* settled(list) : list);
    yield;
  }
  return union(lists);
}

function addRange(byPath: Map<string, Condition[]>, condition: Condition): void {
  const known = byPath.get(condition.path.text);
  if (known) known.push(condition);
  else byPath.set(condition.path.text, [condition]);
}

/** The records of several lists, each in the order of the collection: in that order, without duplicates. */
function union(lists: readonly (readonly StoredRecord[])[]): readonly StoredRecord[] {
  const [first = [], second = []] = lists;
  if (lists.length > 2) return inOrder(lists.flat());
  return second.length === 0 ? first : mergedBySlot(first, second);
}
