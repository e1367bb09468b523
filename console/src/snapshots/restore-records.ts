import { isJsonObject, type Json } from "../api/json.ts";
import type { Member } from "../api/overview.ts";
import { type RecordChange, recordName } from "../api/record-change.ts";
import { sendReverting } from "../records/batch.ts";
import { isDotId } from "../records/record-address.ts";
import { type ShownEdit, undoingRequests } from "../records/undo-change.ts";
import { announce } from "../records/undoing.ts";
import { plural } from "../ui/format.ts";

/** Whether single records can be restored: those that a request can name, in a collection that is there. */
export function canRestore({ collection, id, before, after }: RecordChange, members: readonly Member[]): boolean {
  const member = members.find(({ name }) => name === collection);
  if (!member || !isJsonObject(before ?? after)) return false;
  if (member.kind === "singleton") return before !== null;
  return id !== null && !isDotId(String(id));
}

/**
 * Puts records back to their states in the snapshot as one change: as they were, there again, or gone. Throws `Conflict` if
 * one is no longer as it was compared. The change can be undone; that of several by the history.
 */
export async function restoreRecords(changes: readonly RecordChange[], members: readonly Member[]): Promise<void> {
  const edits = changes.map(editOf);
  const requests = undoingRequests(edits, members);
  if (!requests) throw new Error("So many records cannot be restored at once. Select fewer, or restore everything.");
  const { write, text } = await sendReverting(requests);
  const [change] = changes;
  if (!change || changes.length > 1) return announce(`Restored ${plural(changes.length, "record")}`, write);
  const name = recordName(change);
  const title = change.kind === "created" ? `Deleted ${name}` : `Restored ${name}`;
  announce(title, write, async () => {
    // The server may have set fields itself: the way back begins at what it made of the record.
    const [value = null] = change.kind === "created" ? [] : [JSON.parse(text) as Json].flat();
    const back = { ...editOf(change), ...present("before", change.after), ...present("after", value) };
    return (await sendReverting(undoingRequests([back], members) ?? [])).write;
  });
}

/** The change since the snapshot, to be undone. */
function editOf({ collection, id, kind, before, after }: RecordChange): ShownEdit {
  return { name: collection, id, kind, ...present("before", before), ...present("after", after) };
}

/** Without the side on which the record is not there. */
function present<Key extends "before" | "after">(key: Key, value: Json | undefined): { [key in Key]?: Json } {
  return (value === null ? { [key]: undefined } : { [key]: value }) as { [key in Key]?: Json };
}
