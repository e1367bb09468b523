import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeTemporaries } from "../../atomic-write.ts";
import { finishOverwrite } from "./finish-overwrite.ts";
import type { Base, Line } from "./journal.ts";
import { decodeJournal, type JournalContent } from "./journal-format.ts";
import { filesOf } from "./journal-notes.ts";
import type { Layout, Loaded } from "./layout.ts";
import { asidePath, ownFile, setAside } from "./own-folder.ts";
import { changedFiles, replay, startingPoints } from "./replay.ts";

/** What a crash left behind, brought together with the data files. */
export interface Recovered extends Loaded {
  /** The journal to go on with, when it still holds something. */
  readonly journal: { readonly base: Base; readonly lines: readonly Line[] } | undefined;
}

/**
 * Loads the data files and, where a process ended without folding its journal, the changes that only the journal holds.
 * With `mend` the disk is put in order, too: a torn overwrite is finished, leftovers go, a journal that does not belong to
 * the files is set aside. Without it nothing is touched, and nothing is said.
 */
export async function recover(layout: Layout, warn: (text: string) => void, mend: boolean): Promise<Recovered> {
  const path = ownFile(layout.anchor, "journal");
  if (mend) rmSync(`${path}.tmp`, { force: true });
  if (!existsSync(path)) return { ...layout.load(), journal: undefined };
  const journal = decodeJournal(readFileSync(path));
  if (journal && mend) {
    await finishOverwrite(layout, journal, warn);
    const files = new Set([...filesOf(journal), ...changedFiles(layout, journal)]);
    for (const file of files) removeTemporaries(join(layout.folder, file));
  }
  const loaded = layout.load();
  const since = journal && startingPoints(layout, loaded, journal);
  if (!journal || !since) {
    const reason = journal ? "the data file was changed after it was written" : "it cannot be read";
    if (mend) warn(`A journal of unsaved changes was found, but ${reason}. It is kept as ${setAside(path)}.`);
    return { ...loaded, journal: undefined };
  }
  const { database, replayed } = replay(layout, loaded.database, journal, since);
  if (mend) report(path, journal, replayed, warn);
  if (journal.lines.length === 0) {
    if (mend) rmSync(path);
    return { ...loaded, journal: undefined };
  }
  const lines = journal.lines.map((line, index) => ({ version: line.v, text: journal.texts[index] as string }));
  return { ...loaded, database, journal: { base: { v: journal.header.v, hashes: journal.header.base }, lines } };
}

function report(path: string, { end }: JournalContent, replayed: number, warn: (text: string) => void): void {
  if (replayed > 0) {
    const changes = replayed === 1 ? "1 change" : `${replayed} changes`;
    warn(`Recovered from the journal: ${changes} that an earlier process had acknowledged but not saved yet.`);
  }
  if (end === "torn") {
    warn("The last entry of the journal was cut off in the act of writing, before it was acknowledged; it is dropped.");
  }
  if (end === "damaged") {
    // A copy: until the next save, nothing else holds the changes before the damage.
    const aside = asidePath(path);
    copyFileSync(path, aside);
    warn(`The journal is damaged; changes after the damage could not be recovered. It is kept as ${aside}.`);
  }
}
