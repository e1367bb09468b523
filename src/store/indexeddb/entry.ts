import { parseJson } from "../../base/json/json.ts";
import type { Receipt } from "../receipts.ts";
import type { Change, Edit, MemberEdit, PastEvent, StoreEvent } from "../store.ts";
import { editedRecord, StoredRecord } from "../stored-record.ts";
import type { KeptData } from "./kept-data.ts";

/** One record before and after a change, as compact JSON; found again by its slot. */
interface EntryEdit {
  readonly name: string;
  readonly slot: number;
  readonly before?: string | undefined;
  /** The version of the record before. */
  readonly was?: number | undefined;
  readonly after?: string | undefined;
}

/** One change of the data, as it is stored. One without edits and member stands for an exchange of all data. */
export interface Entry {
  /** The version that it leads to, which is its key. */
  readonly v: number;
  readonly time: number;
  readonly edits?: readonly EntryEdit[];
  readonly member?: MemberEdit;
  readonly receipt?: Receipt | undefined;
  /** Where a former version is needed: the versions of the changed collections before. */
  readonly versions?: ReadonlyMap<string, number> | undefined;
  /** The same for a change of members: all data before. */
  readonly former?: KeptData | undefined;
}

export function entryOf({ version, edits }: Change, time: number, receipt?: Receipt): Entry {
  return {
    v: version,
    time,
    edits: edits.map((edit) => ({
      name: edit.name,
      slot: editedRecord(edit).slot,
      before: edit.before?.text,
      was: edit.before?.version,
      after: edit.after?.text,
    })),
    receipt,
  };
}

/** The event that told listeners of an entry; undefined where that was a receipt alone. */
export function eventOf({ v: version, edits, member }: Entry): StoreEvent | undefined {
  if (member) return { kind: "members", version, edit: member };
  if (!edits) return { kind: "exchange", version };
  return edits.length === 0 ? undefined : { kind: "change", change: { version, edits: edits.map(readEdit(version)) } };
}

/** The same for readers who come back later. */
export function pastEvent(entry: Entry): PastEvent[] {
  const event = eventOf(entry);
  return event ? [{ time: entry.time, event }] : [];
}

const readEdit =
  (version: number) =>
  ({ name, slot, before, was = version, after }: EntryEdit): Edit => {
    const record = (text: string | undefined, version: number): StoredRecord | undefined =>
      text === undefined ? undefined : new StoredRecord(parseJson(text), version, slot, text);
    return { name, before: record(before, was), after: record(after, version) };
  };
