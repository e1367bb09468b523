import { formatParameters } from "../api/parameters.ts";

/** Browsers resolve these as steps in the path, escaped or not, so no request for such a record leaves the page. */
export function isDotId(id: string): boolean {
  return id === "." || id === "..";
}

/** The address of a record. */
export function recordPath(collection: string, id: string): string {
  return `/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`;
}

/** An address that reads a record: its own, or a list with this record alone where a browser cannot send its own. */
export function readingPath(collection: string, idKey: string, id: string): string {
  if (!isDotId(id)) return recordPath(collection, id);
  return `/${encodeURIComponent(collection)}?${formatParameters([
    [idKey, id],
    ["_limit", "1"],
  ])}`;
}
