import type { Json } from "../../json.ts";
import { meets } from "../../query/condition.ts";
import { sortBy } from "../../query/order.ts";
import type { Condition, Query } from "../../query/query.ts";
import { contains } from "../../query/search.ts";
import { positionsOf } from "../../query/window.ts";
import { atOnce, inSlices, MAX_AT_ONCE, STEP, type Work } from "../../slices.ts";
import type { Eventually, Found, Trace } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { type Access, cheapestAccess } from "./access.ts";
import type { Collection } from "./collection.ts";
import { Building } from "./indexes/index-set.ts";

/** An access that leaves more than this share of the records saves nothing over looking at all of them. */
const WORTHWHILE_SHARE = 0.5;
/** How many records a regular expression may judge before a pause is offered. */
const SLOW_STEP = 4;
/** How many entries of an order are looked at together. */
const BLOCK = 256;

/**
 * Finds the records a query asks for, by the cheapest way; every way gives the same records in the same order. Where an
 * index that it needs is being built, gives that: wait and ask again.
 */
export function findRecords(
  collection: Collection,
  query: Query,
  where: readonly Condition[],
  trace: Trace,
  asText = false,
): Eventually<Found> | Building {
  if (where.length === 0 && query.search === "") return everything(collection, query, trace);
  const access = cheapestAccess(collection, query, where);
  if (access instanceof Building) return access;
  const total = collection.records.length;
  if (access && access.estimate <= total * WORTHWHILE_SHARE) return byAccess(query, where, access, trace, asText);
  if (access?.isExact && query.search === "" && where.every((condition) => access.meets.includes(condition))) {
    return byWalking(collection, query, where, access, trace) ?? byScan(collection, query, where, trace);
  }
  return byScan(collection, query, where, trace);
}

function everything(collection: Collection, query: Query, trace: Trace): Found | Building {
  const total = collection.records.length;
  const { from, to } = positionsOf(query.window, total);
  const [key, ...more] = query.sort;
  if (key && more.length === 0 && collection.indexes) {
    const order = collection.indexes.order(key.path);
    if (order instanceof Building) return order;
    trace.steps.push(`order index on ${key.path.text}${key.descending ? ", from the end" : ""}`);
    trace.touched += to - from;
    return { records: key.descending ? order.sliceDescending(from, to) : order.slice(from, to), total };
  }
  // Only who gets the array itself must keep writers from changing it.
  const isWhole = query.sort.length === 0 && from === 0 && to === total;
  return cut(isWhole ? collection.lend() : collection.records, query, trace);
}

function byAccess(
  query: Query,
  where: readonly Condition[],
  access: Access,
  trace: Trace,
  asText: boolean,
): Eventually<Found> {
  const rest = where.filter((condition) => !access.meets.includes(condition));
  const { search } = query;
  trace.steps.push(access.name);
  if (rest.length === 0 && search === "" && query.sort.length === 0 && access.slice) {
    const { from, to } = positionsOf(query.window, access.estimate);
    trace.touched += to - from;
    const text = asText && from === 0 && to === access.estimate ? access.joined?.() : undefined;
    return { records: access.slice(from, to), total: access.estimate, text };
  }
  const candidates = access.collect();
  trace.touched += candidates.length;
  if (rest.length === 0 && search === "") return cut(candidates, query, trace);
  trace.steps.push(`${candidates.length} candidates tested`);
  return filter(candidates, rest, search, (kept) => cut(kept, query, trace));
}

/** Most records match, and how many is known: look only until the window is full. */
function byWalking(
  collection: Collection,
  query: Query,
  where: readonly Condition[],
  access: Access,
  trace: Trace,
): Found | Building | undefined {
  const total = access.estimate;
  const { from, to } = positionsOf(query.window, total);
  const [key, ...more] = query.sort;
  if (more.length > 0 || (from === 0 && to === total)) return undefined;
  const order = key && collection.indexes?.order(key.path);
  if (order instanceof Building) return order;
  if (key && !order) return undefined;
  const count = collection.records.length;
  const block = (start: number): readonly StoredRecord[] => {
    const end = Math.min(start + BLOCK, count);
    if (!key || !order) return collection.records.slice(start, end);
    return key.descending ? order.sliceDescending(start, end) : order.slice(start, end);
  };
  const found: StoredRecord[] = [];
  let matched = 0;
  for (let start = 0; start < count && matched < to; start += BLOCK) {
    for (const record of block(start)) {
      trace.touched++;
      if (!where.every((condition) => meets(record.value, condition))) continue;
      if (matched >= from && matched < to) found.push(record);
      if (++matched >= to) break;
    }
  }
  trace.steps.push(
    `${access.name}, for the count`,
    `${key ? `order of ${key.path.text}` : "records"} up to the window`,
  );
  return { records: found, total };
}

function byScan(collection: Collection, query: Query, where: readonly Condition[], trace: Trace): Eventually<Found> {
  trace.steps.push("scan of all records");
  trace.touched += collection.records.length;
  const records = takesLong(collection.records, where) ? collection.lend() : collection.records;
  return filter(records, where, query.search, (kept) => cut(kept, query, trace));
}

function filter(
  records: readonly StoredRecord[],
  where: readonly Condition[],
  search: string,
  finish: (kept: readonly StoredRecord[]) => Found,
): Eventually<Found> {
  const keeps = ({ value }: StoredRecord): boolean =>
    (search === "" || containsInFields(value, search)) && where.every((condition) => meets(value, condition));
  const work = filtering(records, keeps, where.some(isSlow) ? SLOW_STEP : STEP);
  return takesLong(records, where) ? inSlices(work).then(finish) : finish(atOnce(work));
}

/** Whether others must have their turn meanwhile. */
function takesLong(records: readonly StoredRecord[], where: readonly Condition[]): boolean {
  return records.length > MAX_AT_ONCE || where.some(isSlow);
}

function isSlow(condition: Condition): boolean {
  return condition.isSlow;
}

function* filtering(
  records: readonly StoredRecord[],
  keeps: (record: StoredRecord) => boolean,
  step: number,
): Work<StoredRecord[]> {
  const kept: StoredRecord[] = [];
  for (let at = 0; at < records.length; at++) {
    if (keeps(records[at]!)) kept.push(records[at]!);
    if (at % step === 0) yield;
  }
  return kept;
}

/** The text of a record that is no object is nobody's field, so `q` looks only into objects and arrays. */
function containsInFields(value: Json, search: string): boolean {
  return typeof value === "object" && contains(value, search);
}

function cut(records: readonly StoredRecord[], query: Query, trace: Trace): Found {
  const total = records.length;
  const { from, to } = positionsOf(query.window, total);
  if (query.sort.length === 0) {
    trace.touched += to - from;
    return { records: from === 0 && to === total ? records : records.slice(from, to), total };
  }
  trace.steps.push(`${total} sorted by ${query.sort.map(({ path }) => path.text).join(", ")}`);
  trace.touched += total;
  return { records: sortBy(records, query.sort, (record) => record.value).slice(from, to), total };
}
