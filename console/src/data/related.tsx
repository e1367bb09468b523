import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import type { JsonObject } from "../api/json.ts";
import { idKeyOf } from "../api/overview.ts";
import { formatParameters } from "../api/parameters.ts";
import { useOverview } from "../api/use-overview.ts";
import { readingPath } from "../records/record-address.ts";
import { childrenOf, labelOf, linksIn, parentsOf } from "../records/relations.ts";
import { readRecord } from "../records/writes.ts";
import { formatRoute, listRoute, recordRoute } from "../routes/route.ts";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";

/** The parents and children of a record. */
export function Related({ collection, record }: { collection: string; record: JsonObject }) {
  const overview = useOverview();
  const links = linksIn(overview);
  const parents = parentsOf(links, collection, record);
  const children = childrenOf(links, collection);
  if (parents.length === 0 && children.length === 0) return null;
  const id = String(record[idKeyOf(overview, collection)]);
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

function Children({ from, field, id }: { from: string; field: string; id: string }) {
  const [count, setCount] = useState<number>();
  const query = formatParameters([[field, id]]);
  useEffect(() => {
    ask("GET", `/${encodeURIComponent(from)}?${query}&_limit=1`).then(
      ({ headers }) => setCount(Number(headers.get("X-Total-Count") ?? 0)),
      () => setCount(undefined),
    );
  }, [from, query]);
  return (
    <li>
      <a href={formatRoute(listRoute(from, query))}>
        <span class="mono">{from}</span>
        <span>{count === undefined ? "…" : plural(count, "record")}</span>
        <Icon name="link" />
      </a>
    </li>
  );
}
