import { andThen, type Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { atOnce, inSlices, MAX_AT_ONCE } from "../../base/slices.ts";
import { metered } from "../../base/work-account.ts";
import { outlineOf } from "../../query/filter.ts";
import { groupRows } from "../../query/group-rows.ts";
import type { Filter, Grouping, Query } from "../../query/query.ts";
import type { Found, GroupQuery, Trace } from "../store.ts";
import type { Collection } from "./collection.ts";
import { findRecords } from "./find-records.ts";
import { PendingIndex } from "./indexes/index-set.ts";

/** The columns of a grouping that takes as long as a simple test of each record. */
const SIMPLE_COLUMNS = 4;

export interface GroupRequest {
  readonly collection: Collection;
  readonly query: Query;
  readonly grouping: Grouping;
  readonly where: readonly Filter[];
  readonly trace: Trace | undefined;
}

/** One row per group of the records that a query finds. While an index is being built, that. */
export function groupRecords(request: GroupRequest): Eventually<readonly JsonObject[]> | PendingIndex {
  const { collection, query, grouping, where, trace } = request;
  const found = findRecords(collection, { ...query, sort: [], window: { kind: "all" } }, where, trace);
  if (found instanceof PendingIndex) return found;
  const group = ({ records }: Found): Eventually<readonly JsonObject[]> => {
    const account = query.payer?.account;
    const work = groupRows(records, grouping, account);
    trace?.steps.push(`${records.length} records grouped`);
    const cost = records.length * (1 + (grouping.paths.length + grouping.aggregates.length) / SIMPLE_COLUMNS);
    return cost > MAX_AT_ONCE ? inSlices(metered(work, account)) : atOnce(work);
  };
  return andThen(found, group);
}

/** The most results of one collection to keep. */
const MAX_RESULTS = 16;
/** The most rows of a result to keep. */
const MAX_ROWS = 10_000;

interface Kept {
  readonly version: number;
  readonly results: Map<string, readonly JsonObject[]>;
}

/** The rows of recent queries with groups, for as long as their collection does not change. */
export class GroupCache {
  readonly #byCollection = new WeakMap<Collection, Kept>();

  get(collection: Collection, query: GroupQuery): readonly JsonObject[] | undefined {
    const cached = this.#byCollection.get(collection);
    return cached?.version === collection.version ? cached.results.get(keyOf(query)) : undefined;
  }

  /** Keeps rows that were made from the present version of the collection. */
  set(collection: Collection, query: GroupQuery, rows: readonly JsonObject[]): void {
    if (rows.length > MAX_ROWS) return;
    const { version } = collection;
    let cached = this.#byCollection.get(collection);
    if (cached?.version !== version) {
      cached = { version, results: new Map() };
      this.#byCollection.set(collection, cached);
    }
    if (cached.results.size >= MAX_RESULTS) cached.results.delete(cached.results.keys().next().value!);
    cached.results.set(keyOf(query), rows);
  }
}

/** Equal for queries with the same rows, before `_having`, sort and window. */
function keyOf({ where, search, grouping }: GroupQuery): string {
  const names = [...grouping.paths.map(({ text }) => text), "", ...grouping.aggregates.map(({ name }) => name)];
  return JSON.stringify([where.map(outlineOf), search, names]);
}
