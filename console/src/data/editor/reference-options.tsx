import { useEffect, useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import type { JsonObject } from "../../api/json.ts";
import { formatParameters } from "../list-query.ts";
import { labelOf, NAMING } from "../relations.ts";

/** More records than this make no list to choose from; any id can be typed. */
const MOST_OPTIONS = 100;

export interface Reference {
  /** The collection. */
  readonly to: string;
  readonly idKey: string;
}

/** The records of a collection, to choose one by its name. Loaded when it is first rendered. */
export function ReferenceOptions({ id, to, idKey }: Reference & { id: string }) {
  const [records, setRecords] = useState<readonly JsonObject[]>([]);
  useEffect(() => {
    const query = formatParameters([
      ["_fields", [idKey, ...NAMING].join(",")],
      ["_limit", String(MOST_OPTIONS)],
    ]);
    // Without them, an id can still be typed.
    askJson<JsonObject[]>("GET", `/${encodeURIComponent(to)}?${query}`).then(setRecords, () => undefined);
  }, [to, idKey]);
  return (
    <datalist id={id}>
      {records.map((record) => (
        <option key={String(record[idKey])} value={String(record[idKey])}>
          {labelOf(record)}
        </option>
      ))}
    </datalist>
  );
}
