import type { Json } from "../../../base/json/json.ts";
import type { VersionEdit } from "../../history.ts";
import type { LeftChange } from "../../store.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { EditsEntry, JournalLine } from "../journal/journal-format.ts";

/** The changes in the lines of a journal, as jobs follow from them; lines that do not say when they were made have none. */
export function leftChanges(lines: readonly JournalLine[]): LeftChange[] {
  return lines.flatMap((line) => {
    if ("database" in line) return { version: line.v, time: line.t ?? 0, depth: 0 };
    if (!("edits" in line) || line.edits.length === 0 || line.t === undefined || line.lost !== undefined) return [];
    return { version: line.v, time: line.t, depth: line.depth ?? 0, edits: editsOf(line) };
  });
}

function editsOf({ v, edits, was = [] }: EditsEntry): VersionEdit[] {
  let former = 0;
  const stored = (value: Json | undefined): StoredRecord | undefined =>
    value === undefined ? undefined : new StoredRecord(value, v, 0);
  return edits.map((edit) => {
    const name = edit[1];
    if (edit[0] === "+") return { name, before: undefined, after: stored(edit[2]) };
    return { name, before: stored(was[former++]), after: edit[0] === "=" ? stored(edit[3]) : undefined };
  });
}
