import { isSameJson, type Json, type JsonObject } from "../../api/json.ts";
import { formatParameters } from "../../api/parameters.ts";
import type { BatchRequest, BatchResponse } from "../../records/batch.ts";
import { joinList } from "../condition.ts";
import { formatListQuery, type ListQuery } from "../list-query.ts";
import type { Selection } from "./selection.ts";

/** The change of one field in many records; without a value the field is taken away. */
export interface FieldChange {
  readonly field: string;
  readonly value: Json | undefined;
}

/** A record with the address and the tag by which the server knows it. */
export interface TaggedRecord {
  readonly path: string;
  readonly value: JsonObject;
  readonly etag: string;
}

/** The requests that change the records, each only if it is still as it was read. Those that would change nothing have none. */
export function changingRequests(records: readonly TaggedRecord[], change: FieldChange): BatchRequest[] {
  return records.flatMap(({ path, value, etag }): BatchRequest[] => {
    const headers = { "If-Match": etag };
    const { [change.field]: before, ...others } = value;
    const isThere = Object.hasOwn(value, change.field);
    if (change.value === undefined) return isThere ? [{ method: "PUT", path, headers, body: others }] : [];
    const isSame = isThere && isSameJson(before, change.value);
    return isSame ? [] : [{ method: "PATCH", path, headers, body: { [change.field]: change.value } }];
  });
}

export function removingRequests(records: readonly TaggedRecord[]): BatchRequest[] {
  return records.map(({ path, etag }) => ({ method: "DELETE", path, headers: { "If-Match": etag } }));
}

/** The requests that put the records back, if none has changed again since. */
export function revertingRequests(
  records: readonly TaggedRecord[],
  requests: readonly BatchRequest[],
  responses: readonly BatchResponse[],
): BatchRequest[] {
  const before = new Map(records.map(({ path, value }) => [path, value]));
  return requests.map(({ path }, at) => ({
    method: "PUT",
    path,
    headers: { "If-Match": responses[at]?.headers.ETag ?? "" },
    body: before.get(path) as JsonObject,
  }));
}

/** In bytes; a request may have 10 MB. */
const MOST_AT_ONCE = 8_000_000;

/** Values in parts of which each fits into a request. */
export function inParts<Value extends Json>(values: readonly Value[], most = MOST_AT_ONCE): Value[][] {
  const encoder = new TextEncoder();
  const parts: Value[][] = [];
  let room = 0;
  for (const value of values) {
    const size = encoder.encode(JSON.stringify(value)).length + 1;
    if (size > room || parts.length === 0) {
      parts.push([]);
      room = most;
    }
    parts.at(-1)?.push(value);
    room -= size;
  }
  return parts;
}

/** The query that chooses every record that a list shows, but for some. */
export function choosingQuery(query: ListQuery, idKey: string, but: ReadonlySet<string>): string {
  const left = but.size === 0 ? "" : formatParameters([[`${idKey}:nin`, joinList([...but])]]);
  const chosen = formatListQuery({ ...query, sort: [], fields: undefined, grouping: undefined });
  return [chosen, left].filter((part) => part !== "").join("&") || "_all=true";
}

/** As many ids as one condition names. */
const IDS_AT_ONCE = 1000;

/** The conditions that choose the picked records: one for all that match, or several that name their ids. */
export function choosingQueries(query: ListQuery, idKey: string, { kind, ids }: Selection): string[] {
  if (kind === "allBut") return [choosingQuery(query, idKey, ids)];
  const all = [...ids];
  return Array.from({ length: Math.ceil(all.length / IDS_AT_ONCE) }, (_, at) =>
    formatParameters([[`${idKey}:in`, joinList(all.slice(at * IDS_AT_ONCE, (at + 1) * IDS_AT_ONCE))]]),
  );
}

/** A request that changes all records that are chosen, at most so many; without a change it removes them. */
export function matchingRequest(
  collection: string,
  choosing: string,
  change: FieldChange | undefined,
  most: number,
): BatchRequest & { readonly headers: Record<string, string> } {
  const path = `/${encodeURIComponent(collection)}?${choosing}`;
  const headers = { Prefer: `max-affected=${most}` };
  if (!change) return { method: "DELETE", path, headers };
  const { field, value } = change;
  if (value !== undefined) return { method: "PATCH", path, headers, body: { [field]: value } };
  // In a merge patch, null takes a field away.
  const merge = { ...headers, "Content-Type": "application/merge-patch+json" };
  return { method: "PATCH", path, headers: merge, body: { [field]: null } };
}
