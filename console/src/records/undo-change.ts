import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import type { Member } from "../api/overview.ts";
import { type BatchRequest, MAX_REQUESTS } from "./batch.ts";
import { recordPath } from "./record-address.ts";

/** The change of one record, as `/__changes` shows it. */
export interface ShownEdit {
  readonly name: string;
  readonly kind: "created" | "changed" | "removed";
  /** Null for a singleton, and for a record without one. */
  readonly id: string | number | null;
  readonly before?: Json;
  readonly after?: Json;
}

/** One POST takes no more. */
const MAX_RECORDS = 5000;
const JSON_PATCH = { "Content-Type": "application/json-patch+json" };

/**
 * The requests that undo a change if they are sent as one batch, which is refused if any of the records is no longer as the
 * change left it. Undefined where there is no such batch: a record has no id, or there are too many.
 */
export function undoingRequests(edits: readonly ShownEdit[], members: readonly Member[]): BatchRequest[] | undefined {
  const kinds = new Map(members.map(({ name, kind }) => [name, kind]));
  const removals: BatchRequest[] = [];
  const replacements: BatchRequest[] = [];
  const removed = new Map<string, Json[]>();
  for (const edit of edits) {
    const path = pathOf(edit, kinds.get(edit.name));
    const { before, after } = edit;
    if (path === undefined) return undefined;
    if (after === undefined) {
      const others = removed.get(edit.name) ?? [];
      others.push(before!);
      removed.set(edit.name, others);
    } else if (before === undefined) removals.push(patch(path, after), { method: "DELETE", path });
    else replacements.push(patch(path, after, before));
  }
  const additions: BatchRequest[] = [];
  for (const [name, records] of removed) {
    if (records.length > MAX_RECORDS) return undefined;
    additions.push({ method: "POST", path: `/${encodeURIComponent(name)}`, body: records });
  }
  // A record may have been created with the id of one that was removed before.
  const requests = [...removals, ...replacements, ...additions];
  return requests.length > 0 && requests.length <= MAX_REQUESTS ? requests : undefined;
}

function pathOf({ name, id, before, after }: ShownEdit, kind: Member["kind"] | undefined): string | undefined {
  if (!isJsonObject(after ?? before)) return undefined;
  if (kind === "singleton") return `/${encodeURIComponent(name)}`;
  return kind === undefined || id === null ? undefined : recordPath(name, String(id));
}

/** Replaces a record, if it is still this one. */
function patch(path: string, expected: Json, value?: Json): BatchRequest {
  const test: JsonObject = { op: "test", path: "", value: expected };
  const body: Json = value === undefined ? [test] : [test, { op: "replace", path: "", value }];
  return { method: "PATCH", path, headers: JSON_PATCH, body };
}
