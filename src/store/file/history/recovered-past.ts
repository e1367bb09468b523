import type { EditsEntry, JournalLine, MembersEntry, SwapEntry } from "../journal/journal-format.ts";
import type { PastLine } from "./past-line.ts";
import type { ReadLine } from "./read-back.ts";

/** A journal of an older standin, or of one without history, does not say what was before. */
const UNKNOWN = "it was made without a history";

/** The line of the history for one of the journal; undefined for a note, and for a receipt alone. */
export function pastOf(line: JournalLine, now: number): PastLine | undefined {
  if (!isEntry(line) || ("edits" in line && line.edits.length === 0)) return undefined;
  const { v, t = now, by = "unknown", cause } = line;
  const head = { v, t, by, ...(cause !== undefined && { cause }) };
  if (line.lost !== undefined) return { ...head, lost: line.lost };
  if (line.t === undefined) return { ...head, lost: UNKNOWN };
  if ("edits" in line) return { ...head, edits: line.edits, ...(line.was && { was: line.was }) };
  if ("members" in line && line.member) return { ...head, member: line.member, ...(line.was && { was: line.was }) };
  if ("database" in line && line.swap) return { ...head, names: line.names ?? [], swap: line.swap };
  return { ...head, lost: UNKNOWN };
}

/** Whether a line is a change, and no note. */
export function isEntry(line: JournalLine): line is EditsEntry | MembersEntry | SwapEntry {
  return "edits" in line || "members" in line || "database" in line;
}

/** Those of all lines, with about the characters that each has. */
export function pastOfAll(lines: readonly JournalLine[], texts: readonly string[], now: number): ReadLine[] {
  return lines.flatMap((line, position) => {
    const past = pastOf(line, now);
    return past ? { line: past, length: texts[position]?.length ?? 0 } : [];
  });
}
