import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import type { Json, JsonObject } from "../api/json.ts";
import { dataVersion } from "../api/live-data.ts";
import { idKeyOf } from "../api/overview.ts";
import { formatParameters } from "../api/parameters.ts";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { newRecord } from "../records/new-record.ts";
import { readingPath } from "../records/record-address.ts";
import { childrenOf, labelOf, linksIn, NAMING, parentsOf } from "../records/relations.ts";
import { readRecord } from "../records/writes.ts";
import { formatRoute, listRoute, recordRoute } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";

/** The parents and children of a record. */
export function Related({ collection, record }: { collection: string; record: JsonObject }) {
  const overview = useOverview();
  const links = linksIn(overview);
  const parents = parentsOf(links, collection, record);
  const children = childrenOf(links, collection);
  if (parents.length === 0 && children.length === 0) return null;
  const id = record[idKeyOf(overview, collection)] ?? null;
  return (
    <section class="related" aria-labelledby="related">
      <h3 id="related">Related</h3>
      <ul>
        {parents.map((parent) => (
          <Parent key={parent.field} idKey={idKeyOf(overview, parent.to)} {...parent} />
        ))}
        {children.map(({ from, field }) => (
          <Children key={`${from} ${field}`} from={from} field={field} id={id} />
        ))}
      </ul>
    </section>
  );
}

function Parent({ field, to, id, idKey }: { field: string; to: string; id: string; idKey: string }) {
  const [label, setLabel] = useState("");
  useEffect(() => {
    readRecord(readingPath(to, idKey, id)).then(
      ({ value }) => setLabel(labelOf(value) ?? `${to} / ${id}`),
      () => setLabel(`${to} / ${id} is not there`),
    );
  }, [to, id, idKey]);
  return (
    <li>
      <a href={formatRoute(recordRoute(to, id))}>
        <span class="mono">{field}</span>
        <span class="cut">{label || "…"}</span>
        <Icon name="link" />
      </a>
    </li>
  );
}

/** The most that are listed here; all are in the list. */
const MOST_CHILDREN = 5;

function Children({ from, field, id }: { from: string; field: string; id: Json }) {
  const overview = useOverview();
  const idKey = idKeyOf(overview, from);
  const version = useStore(dataVersion);
  const [found, setFound] = useState<{ readonly total: number; readonly records: readonly JsonObject[] }>();
  const query = formatParameters([[field, String(id)]]);
  useEffect(() => {
    const fields = formatParameters([["_fields", [idKey, ...NAMING].join(",")]]);
    ask("GET", `/${encodeURIComponent(from)}?${query}&${fields}&_limit=${MOST_CHILDREN}`).then(
      ({ headers, text }) => setFound({ total: Number(headers.get("X-Total-Count") ?? 0), records: JSON.parse(text) }),
      () => setFound(undefined),
    );
  }, [from, query, idKey, version]);
  const add = (): void => {
    newRecord.set({ collection: from, values: { [field]: id }, from: location.hash });
    go({ view: "data", member: from, record: { kind: "new" }, query: "" });
  };
  return (
    <li>
      <div class="row related-head">
        <a href={formatRoute(listRoute(from, query))}>
          <span class="mono">{from}</span>
          <span>{found === undefined ? "…" : plural(found.total, "record")}</span>
          <Icon name="link" />
        </a>
        {!overview.readOnly && (
          <button type="button" class="button small" aria-label={`Add to ${from}`} onClick={add}>
            <Icon name="plus" />
            Add
          </button>
        )}
      </div>
      {found?.records.map((record) => (
        <a
          key={String(record[idKey])}
          class="related-child"
          href={formatRoute(recordRoute(from, String(record[idKey])))}
        >
          <span class="mono">{String(record[idKey])}</span>
          <span class="cut">{labelOf(record)}</span>
        </a>
      ))}
    </li>
  );
}
