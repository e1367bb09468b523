import { ABSENT } from "../layout.ts";
import type { FoldNote, JournalContent } from "./journal-format.ts";

/** What a journal says about the data files: in its header, and in notes on what they were about to become. */
export function notesOf({ lines }: JournalContent): FoldNote[] {
  return lines.filter((line): line is FoldNote => "folded" in line);
}

/** Every file that the journal knows something of. */
export function filesOf(journal: JournalContent): Set<string> {
  const noted = notesOf(journal).flatMap(({ folded }) => Object.keys(folded));
  return new Set([...Object.keys(journal.header.base), ...noted]);
}

/** The version up to which a file with this content holds the journal's entries; undefined when it never had it. */
export function holdsUpTo(journal: JournalContent, file: string, hash: string): number | undefined {
  const note = notesOf(journal).findLast(({ folded }) => folded[file] === hash);
  if (note) return note.v;
  return (journal.header.base[file] ?? ABSENT) === hash ? journal.header.v : undefined;
}
