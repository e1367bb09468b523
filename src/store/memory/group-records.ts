import { andThen } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { atOnce, inSlices, MAX_AT_ONCE } from "../../base/slices.ts";
import { metered } from "../../base/work-account.ts";
import { groupRows } from "../../query/group-rows.ts";
import type { Filter, Grouping, Query } from "../../query/query.ts";
import type { Eventually, Found, Trace } from "../store.ts";
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
    const work = groupRows(records, grouping, query.account);
    trace?.steps.push(`${records.length} records grouped`);
    const cost = records.length * (1 + (grouping.paths.length + grouping.aggregates.length) / SIMPLE_COLUMNS);
    return cost > MAX_AT_ONCE ? inSlices(metered(work, query.account)) : atOnce(work);
  };
  return andThen(found, group);
}
