import { andThen, type Eventually } from "../../base/eventually.ts";
import { atOnce, inSlices, type Work } from "../../base/slices.ts";
import { metered } from "../../base/work-account.ts";
import { type CursorPosition, compareToPosition, createCursor, readCursor } from "../../query/cursor.ts";
import { valueAt } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import type { CursorWindow } from "../../query/window.ts";
import type { Found, Trace } from "../store.ts";
import { placeBehind, positionOf, type StoredRecord } from "../stored-record.ts";
import { isWorthwhile } from "./access.ts";
import { cheapestAccess } from "./cheapest-access.ts";
import type { Collection } from "./collection.ts";
import { createTest, takesLong } from "./filter-records.ts";
import { findRecords } from "./find-records.ts";
import { PendingIndex } from "./indexes/index-set.ts";

/** The records tested between two possible pauses. */
const BLOCK = 256;

export interface AfterRequest {
  readonly collection: Collection;
  readonly query: Query;
  readonly window: CursorWindow;
  readonly where: readonly Filter[];
  /** Identifies the data that cursors belong to. */
  readonly data: string;
  readonly trace: Trace | undefined;
}

/**
 * Finds the records behind a cursor: reads on from its place in an order that is kept, or else sorts all matches. Returns
 * an index that it needs while that is being built.
 */
export function findAfter(request: AfterRequest): Eventually<Found> | PendingIndex {
  const { collection, query, window, where, data, trace } = request;
  const position = readCursor(window.cursor, query, data);
  const isFiltered = where.length > 0 || query.search !== "";
  const access = isFiltered ? cheapestAccess(collection.indexes, query, where) : undefined;
  if (access instanceof PendingIndex) return access;
  const [key, ...more] = query.sort;
  const isSelective = access !== undefined && isWorthwhile(access.estimate, collection);
  const isKept = key && !key.order && more.length === 0 && !isSelective;
  const order = isKept ? collection.indexes?.order(key.path) : undefined;
  if (order instanceof PendingIndex) return order;
  if (isSelective || (key && !order)) return fromAll(request, position);

  const size = isFiltered ? BLOCK : window.limit + 1;
  const records = isFiltered ? collection.lend() : collection.records;
  // Found anew for every block, because the order may change during a pause.
  const blockAfter = (after: CursorPosition | undefined): readonly StoredRecord[] => {
    if (!key || !order) {
      const from = after ? positionOf(records, placeBehind(after.slot)) : 0;
      return records.slice(from, from + size);
    }
    const from = after ? order.positionAfter(after.keys[0], after.slot, key.descending) : 0;
    return key.descending
      ? order.sliceDescending(from, Math.min(from + size, order.size))
      : order.slice(from, from + size);
  };
  const keeps = isFiltered ? createTest(where, query.search) : () => true;
  const placeOf = ({ value, slot }: StoredRecord): CursorPosition => ({
    keys: key ? [valueAt(value, key.path)] : [],
    slot,
  });
  trace?.steps.push(key ? `order index on ${key.path.text}, from the cursor on` : "the records from the cursor on");
  const work = walk({ blockAfter, keeps, placeOf, position, wanted: window.limit + 1, size, trace });
  const finish = (found: readonly StoredRecord[]): Found => page(found, request);
  return isFiltered && takesLong(records, where)
    ? inSlices(metered(work, query.payer?.account)).then(finish)
    : finish(atOnce(work));
}

interface Walk {
  readonly blockAfter: (position: CursorPosition | undefined) => readonly StoredRecord[];
  readonly keeps: (record: StoredRecord) => boolean;
  readonly placeOf: (record: StoredRecord) => CursorPosition;
  readonly position: CursorPosition | undefined;
  readonly wanted: number;
  readonly size: number;
  readonly trace: Trace | undefined;
}

function* walk({ blockAfter, keeps, placeOf, position, wanted, size, trace }: Walk): Work<StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let after = position; ; yield) {
    const block = blockAfter(after);
    for (const record of block) {
      if (trace) trace.touched++;
      if (keeps(record) && found.push(record) === wanted) return found;
    }
    const last = block.at(-1);
    if (!last || block.length < size) return found;
    after = placeOf(last);
  }
}

/** Sorts all matches, and finds the place of the cursor among them. */
function fromAll(request: AfterRequest, position: CursorPosition | undefined): Eventually<Found> | PendingIndex {
  const { collection, query, window, where, trace } = request;
  const finish = ({ records }: Found): Found => {
    const from = position ? firstAfter(records, position, query) : 0;
    return page(records.slice(from, from + window.limit + 1), request);
  };
  const all = findRecords(collection, { ...query, window: { kind: "all" } }, where, trace);
  if (all instanceof PendingIndex) return all;
  return andThen(all, finish);
}

function firstAfter(records: readonly StoredRecord[], position: CursorPosition, { sort }: Query): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareToPosition(records[middle]!, position, sort) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The page, given one record more than it has if there are any. */
function page(found: readonly StoredRecord[], { query, window, data }: AfterRequest): Found {
  const records = found.slice(0, window.limit);
  const last = found.length > window.limit ? records.at(-1) : undefined;
  return { records, total: 0, next: last && createCursor(last, query, data) };
}
