import { useMemo, useRef } from "preact/hooks";
import { idKeyOf } from "../api/overview.ts";
import { useEvent } from "../api/use-event.ts";
import { useOverview } from "../api/use-overview.ts";
import type { RecordWindows } from "./record-windows.ts";
import { type Column, columnsOf, type KnownField, nestedPaths } from "./table/columns.ts";

/** The columns of a collection, and everything that a filter can ask about: columns, and paths into them. */
export function useFields(
  collection: string,
  records: RecordWindows | undefined,
): { columns: readonly Column[]; fields: readonly KnownField[] } {
  const overview = useOverview();
  const known = records?.known() ?? [];
  const described = overview.fields[collection] ?? [];
  const idKey = idKeyOf(overview, collection);
  // Columns change when a field comes or goes, not with every window that arrives.
  const names = known.length === 0 ? "" : [...new Set(known.flatMap((record) => Object.keys(record)))].join("\n");
  // Columns that are not shown are not fetched: what is known of them stays.
  const seen = useRef<{ columns: Map<string, Column>; paths: Map<string, KnownField> }>({
    columns: new Map(),
    paths: new Map(),
  });
  const find = useEvent(() => {
    const { columns, paths } = seen.current;
    for (const path of nestedPaths(known)) paths.set(path.name, path);
    const found = columnsOf(idKey, described, known).map((column) => {
      const before = columns.get(column.name);
      // Without records at hand, less is known of a text.
      const best = before && column.kind === "text" && !known.some((record) => column.name in record) ? before : column;
      columns.set(column.name, best);
      return best;
    });
    return { columns: found, fields: [...found, ...paths.values()] };
  });
  return useMemo(() => find(), [find, idKey, described, names]);
}
