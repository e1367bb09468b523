import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json } from "../../json.ts";
import { meets } from "../../query/condition.ts";
import { sortBy } from "../../query/order.ts";
import type { Condition, Query } from "../../query/query.ts";
import { contains } from "../../query/search.ts";
import { positionsOf } from "../../query/window.ts";
import type { Eventually, Found, Trace } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { type Access, cheapestAccess } from "./access.ts";
import type { Collection } from "./collection.ts";

/** How long a slow scan may hold the event loop before others get their turn. */
const SLICE_MS = 10;
/** An access that leaves more than this share of the records saves nothing over looking at all of them. */
const WORTHWHILE_SHARE = 0.5;
/** How many entries of an order are looked at together. */
const BLOCK = 256;

/** Finds the records a query asks for, by the cheapest way; every way gives the same records in the same order. */
export function findRecords(
  collection: Collection,
  query: Query,
  where: readonly Condition[],
  trace: Trace,
): Eventually<Found> {
  if (where.length === 0 && query.search === "") return everything(collection, query, trace);
  const access = cheapestAccess(collection, query, where);
  const total = collection.records.length;
  if (access && access.estimate <= total * WORTHWHILE_SHARE) return byAccess(query, where, access, trace);
  if (access?.isExact && query.search === "" && where.every((condition) => access.meets.includes(condition))) {
    return byWalking(collection, query, where, access, trace) ?? byScan(collection, query, where, trace);
  }
  return byScan(collection, query, where, trace);
}

function everything(collection: Collection, query: Query, trace: Trace): Found {
  const total = collection.records.length;
  const { from, to } = positionsOf(query.window, total);
  const [key, ...more] = query.sort;
  if (key && more.length === 0 && collection.indexes) {
    const order = collection.indexes.order(key.path);
    trace.steps.push(`order index on ${key.path.text}${key.descending ? ", from the end" : ""}`);
    trace.touched += to - from;
    return { records: key.descending ? order.sliceDescending(from, to) : order.slice(from, to), total };
  }
  // Only who gets the array itself must keep writers from changing it.
  const isWhole = query.sort.length === 0 && from === 0 && to === total;
  return cut(isWhole ? collection.lend() : collection.records, query, trace);
}

function byAccess(query: Query, where: readonly Condition[], access: Access, trace: Trace): Eventually<Found> {
  const rest = where.filter((condition) => !access.meets.includes(condition));
  const { search } = query;
  trace.steps.push(access.name);
  if (rest.length === 0 && search === "" && query.sort.length === 0 && access.slice) {
    const { from, to } = positionsOf(query.window, access.estimate);
    trace.touched += to - from;
    return { records: access.slice(from, to), total: access.estimate };
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
): Found | undefined {
  const total = access.estimate;
  const { from, to } = positionsOf(query.window, total);
  const [key, ...more] = query.sort;
  if (more.length > 0 || (from === 0 && to === total)) return undefined;
  const order = key && collection.indexes?.order(key.path);
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
  const isSlow = where.some((condition) => condition.isSlow);
  const records = isSlow ? collection.lend() : collection.records;
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
  if (!where.some((condition) => condition.isSlow)) return finish(records.filter(keeps));
  return filterInSlices(records, keeps).then(finish);
}

/** The text of a record that is no object is nobody's field, so `q` looks only into objects and arrays. */
function containsInFields(value: Json, search: string): boolean {
  return typeof value === "object" && contains(value, search);
}

async function filterInSlices(
  records: readonly StoredRecord[],
  keeps: (record: StoredRecord) => boolean,
): Promise<StoredRecord[]> {
  const kept: StoredRecord[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const record of records) {
    if (keeps(record)) kept.push(record);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return kept;
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
