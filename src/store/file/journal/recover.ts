import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { removeTemporaries } from "../../../atomic-write.ts";
import { finishOverwrite } from "../finish-overwrite.ts";
import type { Layout, Loaded } from "../layout.ts";
import { asidePath, ownFile, setAside } from "../own-folder.ts";
import { putBackLostFiles } from "../replaced/lost-files.ts";
import type { Base, Line } from "./journal.ts";
import { decodeJournal, type JournalContent } from "./journal-format.ts";
import { filesOf } from "./journal-notes.ts";
import { changedFiles, replay, startingPoints } from "./replay.ts";

/** What a crash left behind, brought together with the data files. */
export interface Recovered extends Loaded {
  /** The journal to go on with, when it still holds something. */
  readonly journal: { readonly base: Base; readonly lines: readonly Line[] } | undefined;
  /** A journal that is to be kept is still in its place: it must be set aside before another one takes that. */
  readonly isInTheWay?: boolean;
}

/**
 * Whether the disk is put in order, too: a torn overwrite is finished, leftovers go, a journal that does not belong to the
 * files is set aside. `later`: nothing can be written now, but everything is said. `never`: nothing is touched or said.
 */
export type Mending = "now" | "later" | "never";

/** Loads the data files and, where a process ended without folding its journal, the changes that only the journal holds. */
export function recover(layout: Layout, warn: (text: string) => void, mending: Mending): Recovered {
  const path = ownFile(layout.anchor, "journal");
  const mend = mending === "now";
  const say = mending === "never" ? () => {} : warn;
  if (mend) {
    rmSync(`${path}.tmp`, { force: true });
    // What was to be kept beside the data file is in a journal that was set aside.
    const [before = "", after = ""] = layout.versionName("unsaved-TIME").split("TIME");
    removeTemporaries(layout.folder, (file) => file.startsWith(before) && file.endsWith(after));
  }
  const journal = existsSync(path) ? decodeJournal(readFileSync(path)) : undefined;
  putBackLostFiles(layout, new Set([...layout.lasting, ...(journal ? filesOf(journal) : [])]), say, mend);
  if (!existsSync(path)) return { ...layout.load(), journal: undefined };
  if (journal && mend) {
    finishOverwrite(layout, journal, warn);
    const files = new Set([...filesOf(journal), ...changedFiles(layout, journal)]);
    removeTemporaries(layout.folder, (file) => files.has(file));
  }
  const loaded = layout.load();
  const since = journal && startingPoints(layout, loaded, journal);
  if (!journal || !since) {
    const reason = journal ? "the data file was changed after it was written" : "it cannot be read";
    say(`A journal of unsaved changes was found, but ${reason}. It is kept as ${mend ? setAside(path) : path}.`);
    return { ...loaded, journal: undefined, isInTheWay: !mend };
  }
  const { database, replayed } = replay(layout, loaded.database, journal, since);
  report(journal, replayed, say);
  const isDamaged = journal.end === "damaged";
  if (isDamaged) {
    // A copy: until the next save, nothing else holds the changes before the damage.
    const kept = mend ? asidePath(path) : path;
    if (mend) copyFileSync(path, kept);
    say(`The journal is damaged; changes after the damage could not be recovered. It is kept as ${kept}.`);
  }
  if (journal.lines.length === 0) {
    if (mend) rmSync(path);
    return { ...loaded, journal: undefined, isInTheWay: isDamaged && !mend };
  }
  const lines = journal.lines.map((line, index) => ({ version: line.v, text: journal.texts[index] as string }));
  const base = { v: journal.header.v, hashes: journal.header.base };
  return { ...loaded, database, journal: { base, lines }, isInTheWay: isDamaged && !mend };
}

function report({ end }: JournalContent, replayed: number, say: (text: string) => void): void {
  if (replayed > 0) {
    const changes = replayed === 1 ? "1 change" : `${replayed} changes`;
    say(`Recovered from the journal: ${changes} that an earlier process had acknowledged but not saved yet.`);
  }
  if (end === "torn") {
    say("The last entry of the journal was cut off in the act of writing, before it was acknowledged; it is dropped.");
  }
}
