import { isJsonObject, type Json } from "../api/json.ts";
import type { Member } from "../api/overview.ts";
import { type RecordChange, recordName } from "../api/record-change.ts";
import { type BatchRequest, sendReverting } from "../records/batch.ts";
import { isDotId } from "../records/record-address.ts";
import { type ShownEdit, undoingRequests } from "../records/undo-change.ts";
import { announce } from "../records/undoing.ts";

/** Whether single records can be restored: those that a request can name, in a collection that is there. */
export function canRestore({ collection, id, before, after }: RecordChange, members: readonly Member[]): boolean {
  const member = members.find(({ name }) => name === collection);
  if (!member || !isJsonObject(before ?? after)) return false;
  if (member.kind === "singleton") return before !== null;
  return id !== null && !isDotId(String(id));
}

/**
 * Puts a record back to its state in the snapshot: as it was, there again, or gone. Throws `Conflict` if it is no longer as
 * it was compared. The change can be undone.
 */
export async function restoreRecord(change: RecordChange, members: readonly Member[]): Promise<void> {
  const edit = editOf(change);
  const { write, value } = await send(undoingRequests([edit], members), change);
  const name = recordName(change);
  const title = change.kind === "created" ? `Deleted ${name}` : `Restored ${name}`;
  announce(title, write, async () => {
    // The server may have set fields itself: the way back begins at what it made of the record.
    const back = { ...edit, ...present("before", change.after), ...present("after", value) };
    return (await send(undoingRequests([back], members), change)).write;
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

async function send(requests: readonly BatchRequest[] | undefined, { kind }: RecordChange) {
  if (!requests) throw new Error("No request can restore this record.");
  const { write, text } = await sendReverting(requests);
  const [value = null] = kind === "created" ? [] : [JSON.parse(text) as Json].flat();
  return { write, value };
}
