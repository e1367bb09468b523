import type { JsonObject } from "../api/json.ts";
import { dataVersion } from "../api/live-data.ts";
import type { Resource } from "../api/resource.ts";
import { useStore } from "../api/store.ts";
import { useResource } from "../api/use-resource.ts";
import type { Grouping } from "./grouping.ts";
import { bucketed } from "./grouping-buckets.ts";
import { fetchWindow } from "./use-records.ts";

export interface Groups {
  /** The one that the rows were asked with. */
  readonly grouping: Grouping;
  readonly rows: readonly JsonObject[];
  /** How many groups there are, of which the rows are the first. */
  readonly total: number;
}

/** The groups at an address, followed through changes of the data. Those of the query before stay until new ones arrive. */
export function useGroups(
  path: string,
  grouping: Grouping | undefined,
): readonly [Resource<Groups>, retry: () => void] {
  const version = useStore(dataVersion);
  return useResource(
    (signal) =>
      grouping &&
      fetchWindow(path, signal).then(({ records, total }) => {
        const rows = bucketed(records, grouping);
        return { grouping, rows, total: grouping.by === undefined ? total : rows.length };
      }),
    [path, grouping !== undefined, grouping?.by, version],
  );
}
