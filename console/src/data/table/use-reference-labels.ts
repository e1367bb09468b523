import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import type { JsonObject } from "../../api/json.ts";
import { dataVersion } from "../../api/live-data.ts";
import { idKeyOf, type Overview } from "../../api/overview.ts";
import { formatParameters } from "../../api/parameters.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { labelOf, namingFields } from "../../records/relations.ts";
import type { Looks } from "./looks.ts";
import { type ReferenceField, ReferenceLabels } from "./reference-labels.ts";

/** The names behind the foreign keys of a table. `version` changes with them. */
export function useReferenceLabels(looks: Looks): {
  labels: ReferenceLabels;
  version: number;
  look: (records: readonly JsonObject[]) => void;
} {
  const overview = useOverview();
  const [version, countChange] = useReducer((count: number) => count + 1, 0);
  const latest = useRef(overview);
  latest.current = overview;
  const labels = useMemo(
    () =>
      new ReferenceLabels(
        (to, ids) => fetchLabels(latest.current, to, ids),
        () => countChange(undefined),
      ),
    [],
  );
  const data = useStore(dataVersion);
  const references = useMemo(() => referencesIn(overview, looks), [overview, looks]);
  const look = (records: readonly JsonObject[]): void => labels.look(records, references);
  const seen = useRef(data);
  useEffect(() => {
    if (data !== seen.current) labels.refresh();
    seen.current = data;
  }, [labels, data]);
  return { labels, version, look };
}

/** Foreign keys to records that have something like a name. */
function referencesIn(overview: Overview, looks: Looks): ReferenceField[] {
  return [...looks].flatMap(([field, look]) =>
    look.kind === "reference" && namingFields(overview, look.to).length > 0 ? [{ field, to: look.to }] : [],
  );
}

async function fetchLabels(
  overview: Overview,
  to: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const idKey = idKeyOf(overview, to);
  const query = formatParameters([
    ...ids.map((id) => [idKey, id] as const),
    ["_fields", [idKey, ...namingFields(overview, to)].join(",")],
  ]);
  const records = await askJson<JsonObject[]>("GET", `/${encodeURIComponent(to)}?${query}`);
  return new Map(records.map((record) => [String(record[idKey]), labelOf(record)]));
}
