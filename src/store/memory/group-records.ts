import type { JsonObject } from "../../json.ts";
import { groupRows } from "../../query/group-rows.ts";
import type { Filter, Grouping, Query } from "../../query/query.ts";
import { atOnce, inSlices, MAX_AT_ONCE } from "../../slices.ts";
import type { Eventually, Found, Trace } from "../store.ts";
import type { Collection } from "./collection.ts";
import { findRecords } from "./find-records.ts";
import { PendingIndex } from "./indexes/index-set.ts";

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
    const work = groupRows(records, grouping);
    trace?.steps.push(`${records.length} records grouped`);
    return records.length > MAX_AT_ONCE ? inSlices(work) : atOnce(work);
  };
  return found instanceof Promise ? found.then(group) : group(found);
}
