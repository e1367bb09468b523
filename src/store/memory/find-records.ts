import { andThen, type Eventually } from "../../base/eventually.ts";
import type { Json } from "../../base/json/json.ts";
import { inSlices, MAX_AT_ONCE } from "../../base/slices.ts";
import { whileWanted } from "../../base/work-account.ts";
import { isIgnorable } from "../../query/filter.ts";
import { keyText, sortBy, sortInSteps } from "../../query/order.ts";
import type { Path } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import { type CountedWindow, positionsOf } from "../../query/window.ts";
import type { Found, Trace } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { type Access, isWorthwhile } from "./access.ts";
import { cheapestAccess } from "./cheapest-access.ts";
import type { Collection } from "./collection.ts";
import { createTest, filterRecords, takesLong } from "./filter-records.ts";
import { PendingIndex } from "./indexes/index-set.ts";
import type { SortedIndex } from "./indexes/sorted-index.ts";

/** A query whose window is not behind a cursor. */
export type CountedQuery = Query & { readonly window: CountedWindow };
/** So many records are sorted at once, by one key; by several, as many less. */
const MAX_SORTED_AT_ONCE = 4000;
/** The entries of a sorted index that are read at a time. */
const BLOCK = 256;

/**
 * Finds the records of a query by the cheapest access; all give the same records in the same order. Returns an index that
 * it needs while that is being built: await it and start over.
 *
 * Hot path: parameters are positional here and below, because an options object would be an allocation per request.
 */
export function findRecords(
  collection: Collection,
  query: CountedQuery,
  where: readonly Filter[],
  trace: Trace | undefined,
): Eventually<Found> | PendingIndex {
  if (where.length === 0 && query.search === "") return everything(collection, query, trace);
  const access = cheapestAccess(collection.indexes, query, where);
  if (access instanceof PendingIndex) return access;
  if (!access) return byScan(collection, query, where, trace);
  if (isWorthwhile(access.estimate, collection)) return byAccess(query, where, access, trace);
  const isTested = query.search !== "" && !access.meetsSearch;
  if (!access.isExact || isTested || untested(where, access).length > 0) {
    return byScan(collection, query, where, trace);
  }
  const canSlice = access.slice !== undefined && query.sort.length === 0;
  if (canSlice) return byAccess(query, where, access, trace);
  const walked = byWalking(collection, query, where, access, trace);
  if (walked) return walked;
  // An access reads its records in one turn; a scan pauses.
  return access.estimate > MAX_AT_ONCE
    ? byScan(collection, query, where, trace)
    : byAccess(query, where, access, trace);
}

function everything(
  collection: Collection,
  query: CountedQuery,
  trace: Trace | undefined,
): Eventually<Found> | PendingIndex {
  const { indexes } = collection;
  const total = collection.size;
  const { from, to } = positionsOf(query.window, total);
  const [key, ...more] = query.sort;
  if (key && !key.order && indexes) {
    const order = indexes.order(key.path);
    if (order instanceof PendingIndex) return order;
    if (more.length > 0) return bySeveralKeys(order, query, trace);
    trace?.steps.push(`order index on ${key.path.text}${key.descending ? ", from the end" : ""}`);
    touch(trace, to - from);
    if (key.descending) return { records: order.sliceDescending(from, to), total };
    return { records: order.slice(from, to), total };
  }
  if (key) return cut(collection.records, query, trace);
  touch(trace, to - from);
  // Writers must copy the array only if it is handed out itself.
  return { records: from === 0 && to === total ? collection.lend() : collection.slice(from, to), total };
}

/** Sorts only those records by all keys that may be in the window: the index has the order of the first key. */
function bySeveralKeys(order: SortedIndex, query: CountedQuery, trace: Trace | undefined): Eventually<Found> {
  const total = order.size;
  const { from, to } = positionsOf(query.window, total);
  if (from === to) return { records: NO_RECORDS, total };
  const { path, descending } = query.sort[0]!;
  const start = order.equalTo(from, descending).from;
  const end = order.equalTo(to - 1, descending).to;
  const records = descending ? order.sliceDescending(start, end) : order.slice(start, end);
  trace?.steps.push(`order index on ${path.text}${descending ? ", from the end" : ""}`);
  return window(sorted(records, query, trace), from - start, to - start, total);
}

function byAccess(
  query: CountedQuery,
  where: readonly Filter[],
  access: Access,
  trace: Trace | undefined,
): Eventually<Found> {
  const rest = untested(where, access);
  const search = access.meetsSearch ? "" : query.search;
  trace?.steps.push(access.name);
  const isReady = rest.length === 0 && search === "" && query.sort.length === 0;
  if (isReady && access.isExact && access.slice) {
    const total = access.estimate;
    const { from, to } = positionsOf(query.window, total);
    touch(trace, to - from);
    return { records: access.slice(from, to), total };
  }
  const finish = (candidates: readonly StoredRecord[]): Eventually<Found> => {
    touch(trace, candidates.length);
    if (rest.length === 0 && search === "") return cut(candidates, query, trace);
    trace?.steps.push(`${candidates.length} candidates tested`);
    const matches = filterRecords({ records: candidates, where: rest, search, payer: query.payer });
    return andThen(matches, (records) => cut(records, query, trace));
  };
  return andThen(access.collect(query.payer?.account), finish);
}

const NO_FILTERS: readonly Filter[] = [];
const NO_RECORDS: readonly StoredRecord[] = [];

/** The filters that records of an access may not meet. */
function untested(where: readonly Filter[], { meets }: Access): readonly Filter[] {
  let rest: Filter[] | undefined;
  for (const filter of where) {
    if (meets.includes(filter)) continue;
    if (rest) rest.push(filter);
    else rest = [filter];
  }
  return rest ?? NO_FILTERS;
}

function touch(trace: Trace | undefined, records: number): void {
  if (trace) trace.touched += records;
}

/** For many matches of a known number: tests records only until the window is full. */
function byWalking(
  collection: Collection,
  query: CountedQuery,
  where: readonly Filter[],
  access: Access,
  trace: Trace | undefined,
): Found | PendingIndex | undefined {
  const total = access.estimate;
  const { from, to } = positionsOf(query.window, total);
  const [key, ...more] = query.sort;
  if (more.length > 0 || (from === 0 && to === total)) return undefined;
  const order = key && !key.order ? collection.indexes?.order(key.path) : undefined;
  if (order instanceof PendingIndex) return order;
  if (key && !order) return undefined;
  const count = collection.size;
  const block = (start: number): readonly StoredRecord[] => {
    const end = Math.min(start + BLOCK, count);
    if (!key || !order) return collection.slice(start, end);
    return key.descending ? order.sliceDescending(start, end) : order.slice(start, end);
  };
  const keeps = createTest(where, query.search);
  const found: StoredRecord[] = [];
  let matched = 0;
  for (let start = 0; start < count && matched < to; start += BLOCK) {
    for (const record of block(start)) {
      touch(trace, 1);
      if (!keeps(record)) continue;
      if (matched >= from && matched < to) found.push(record);
      if (++matched >= to) break;
    }
  }
  trace?.steps.push(
    `${access.name}, for the count`,
    `${key ? `order of ${key.path.text}` : "records"} up to the window`,
  );
  return { records: found, total };
}

function byScan(
  collection: Collection,
  query: CountedQuery,
  where: readonly Filter[],
  trace: Trace | undefined,
): Eventually<Found> {
  trace?.steps.push("scan of all records");
  touch(trace, collection.size);
  const records = takesLong(collection.records, where) ? collection.lend() : collection.records;
  const { search, payer } = query;
  return andThen(filterRecords({ records, where, search, payer }), (kept) => cut(kept, query, trace));
}

function cut(records: readonly StoredRecord[], query: CountedQuery, trace: Trace | undefined): Eventually<Found> {
  const total = records.length;
  const { from, to } = positionsOf(query.window, total);
  if (query.sort.length === 0) {
    touch(trace, to - from);
    return { records: from === 0 && to === total ? records : records.slice(from, to), total };
  }
  return window(sorted(records, query, trace), from, to, total);
}

function window(records: Eventually<readonly StoredRecord[]>, from: number, to: number, total: number) {
  return andThen(records, (all) => ({ records: all.slice(from, to), total }));
}

function sorted(
  records: readonly StoredRecord[],
  { sort, payer }: Query,
  trace: Trace | undefined,
): Eventually<StoredRecord[]> {
  trace?.steps.push(`${records.length} sorted by ${sort.map(keyText).join(", ")}`);
  touch(trace, records.length);
  const readValue = (record: StoredRecord): Json => record.value;
  if (records.length * sort.length <= MAX_SORTED_AT_ONCE) return sortBy(records, sort, readValue);
  return inSlices(whileWanted(sortInSteps(records, sort, readValue), payer?.account));
}

/** Whether the first record shows that no filter is ignored. */
export function areKnown(where: readonly Filter[], collection: Collection): boolean {
  for (const filter of where) if (isIgnorable(filter) && !collection.hasPathAtHand(filter.path)) return false;
  return collection.size > 0;
}

type HasPath = (path: Path) => boolean;

/** 0.17.4: a plain filter on a field that no record has is ignored; an operator on one matches nothing. */
export function knownFilters({ size }: Collection, where: readonly Filter[], has: HasPath): readonly Filter[] {
  return size === 0 ? NO_FILTERS : where.filter((filter) => !isIgnorable(filter) || has(filter.path));
}

/** Tells which of the paths of a query records have. Where looking for them would take long, those that they have. */
export function pathTest(
  collection: Collection,
  query: Query,
  held: ReadonlySet<string> | undefined,
): HasPath | Promise<ReadonlySet<string>> {
  if (held) return ({ text }) => held.has(text);
  const needsSearch = (filter: Filter): boolean =>
    isIgnorable(filter) && collection.hasPathAtHand(filter.path) === undefined;
  // Hot path: filters by fields that all records have.
  if (!query.where.some(needsSearch)) return (path) => collection.hasPath(path);
  const paths = query.where.filter(isIgnorable).map(({ path }) => path);
  if (!collection.isLongSearch(paths.length)) return (path) => collection.hasPath(path);
  const found = collection.heldPaths(paths);
  return found instanceof Promise ? found : ({ text }) => found.has(text);
}
