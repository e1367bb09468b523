import type { Edit, StoreEvent } from "../store.ts";
import type { EditedRecords, StoredRecord } from "../stored-record.ts";
import { meetsPermit, type StorePermit } from "./permit.ts";

/** The part of an event that a user may see; undefined for nothing. */
export function seenEvent(event: StoreEvent, permit: StorePermit): StoreEvent | undefined {
  if (event.kind !== "change") return event;
  const { edits } = event.change;
  const seen = seenEdits<Edit>(edits, permit);
  return seen.length === 0 ? undefined : { kind: "change", change: { ...event.change, edits: seen } };
}

/** A record that comes into sight is created for the user, and one that goes out of it removed. */
export function seenEdits<E extends EditedRecords & { readonly name: string }>(
  edits: readonly E[],
  permit: StorePermit,
): readonly E[] {
  return edits.flatMap((edit) => {
    const { read } = permit.of(edit.name);
    if (read === undefined) return edit;
    const seen = (record: StoredRecord | undefined): StoredRecord | undefined =>
      record && meetsPermit(record, read) ? record : undefined;
    const [before, after] = [seen(edit.before), seen(edit.after)];
    return before || after ? { ...edit, before, after } : [];
  });
}
