import { ABSENT } from "../read-data-file.ts";
import type { FoldNote, JournalContent } from "./journal-format.ts";

/** The notes in a journal on what the data files were about to become. */
export function notesOf({ lines }: JournalContent): FoldNote[] {
  return lines.filter((line): line is FoldNote => "folded" in line);
}

/** The files that the header or any note mentions. */
export function filesOf(journal: JournalContent): Set<string> {
  const noted = notesOf(journal).flatMap(({ folded }) => Object.keys(folded));
  return new Set([...Object.keys(journal.header.base), ...noted]);
}

/** The version up to which a file with this content holds the journal's entries; undefined when it never had this content. */
export function holdsUpTo(journal: JournalContent, file: string, hash: string): number | undefined {
  const note = notesOf(journal).findLast(({ folded }) => folded[file] === hash);
  if (note) return note.v;
  return (journal.header.base[file] ?? ABSENT) === hash ? journal.header.v : undefined;
}
