import { useEffect, useState } from "preact/hooks";
import type { JsonObject } from "../api/json.ts";
import { dataVersion } from "../api/live-data.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { useStore } from "../api/store.ts";
import type { Grouping } from "./grouping.ts";
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
): { groups: Groups | undefined; refusal: Refusal | undefined; retry: () => void } {
  const [groups, setGroups] = useState<Groups>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [attempt, setAttempt] = useState(0);
  const version = useStore(dataVersion);
  useEffect(() => {
    if (!grouping) return;
    const request = new AbortController();
    fetchWindow(path, request.signal)
      .then(({ records, total }) => {
        setGroups({ grouping, rows: records, total });
        setRefusal(undefined);
      })
      .catch((thrown: unknown) => {
        if (!request.signal.aborted) setRefusal(asRefusal(thrown));
      });
    return () => request.abort();
  }, [path, grouping !== undefined, version, attempt]);
  return { groups: grouping && groups, refusal: grouping && refusal, retry: () => setAttempt(attempt + 1) };
}
