import { formatListQuery, type ListQuery } from "../list-query.ts";
import { choosingQuery } from "../rows/bulk-requests.ts";
import type { Selection } from "../rows/selection.ts";

export interface ExportWish {
  readonly collection: string;
  readonly idKey: string;
  readonly format: "csv" | "json";
  /** Its filters and order; none for the whole collection. */
  readonly query: ListQuery;
  /** Undefined: all that match. */
  readonly selection: Selection | undefined;
  /** Undefined: every field. */
  readonly columns: readonly string[] | undefined;
  readonly keepsFormulas: boolean;
}

/** The request for the records. Ids that were picked stand in a body, since they may be too many for an address. */
export function exportRequest({ collection, idKey, query, selection, columns }: ExportWish) {
  const path = `/${encodeURIComponent(collection)}`;
  const shaped: ListQuery = { ...query, fields: columns, grouping: undefined };
  const table = formatListQuery({ ...shaped, filters: [], wheres: [], search: "" });
  if (selection?.kind === "some") {
    const parameters = Object.fromEntries(new URLSearchParams(table));
    return { method: "QUERY", path, body: { ...parameters, _where: { [idKey]: { in: [...selection.ids] } } } };
  }
  const chosen = choosingQuery(query, idKey, selection?.ids ?? new Set()).replace(/^_all=true$/, "");
  const text = [chosen, table].filter((part) => part !== "").join("&");
  return { method: "GET", path: text === "" ? path : `${path}?${text}`, body: undefined };
}
