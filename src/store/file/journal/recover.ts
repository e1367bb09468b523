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

/** The data files after a start, merged with the changes that a crash left in the journal. */
export interface Recovered extends Loaded {
  /** The journal to continue, if it still has lines. */
  readonly journal: { readonly base: Base; readonly lines: readonly Line[] } | undefined;
  /** A journal that must be kept still has its name: set it aside before creating another one. */
  readonly isInTheWay?: boolean;
}

/**
 * When to repair the disk: finish an interrupted overwrite, remove leftovers, set aside a journal that does not match the
 * files. `later`: the folder is read-only now, so problems are only reported. `never`: nothing is touched or reported.
 */
export type Repair = "now" | "later" | "never";

/** Loads the data files and, where a process ended without folding its journal, the changes that only the journal has. */
export function recover(layout: Layout, warn: (text: string) => void, repair: Repair): Recovered {
  const path = ownFile(layout.anchor, "journal");
  const mayRepair = repair === "now";
  const report = repair === "never" ? () => {} : warn;
  if (mayRepair) removeUnfinished(layout, path);
  const journal = existsSync(path) ? decodeJournal(readFileSync(path)) : undefined;
  const files = new Set([...layout.lasting, ...(journal ? filesOf(journal) : [])]);
  putBackLostFiles(layout, { files, mayRepair, report });
  if (!existsSync(path)) return { ...layout.load(), journal: undefined };
  if (journal && mayRepair) {
    finishOverwrite(layout, journal, warn);
    const mentioned = new Set([...filesOf(journal), ...changedFiles(layout, journal)]);
    removeTemporaries(layout.folder, (file) => mentioned.has(file));
  }
  const loaded = layout.load();
  const since = journal && startingPoints(layout, loaded, journal);
  if (!journal || !since) {
    const reason = journal ? "the data file was changed after it was written" : "it cannot be read";
    report(
      `A journal of unsaved changes was found, but ${reason}. It is kept as ${mayRepair ? setAside(path) : path}.`,
    );
    return { ...loaded, journal: undefined, isInTheWay: !mayRepair };
  }
  const { database, replayed } = replay({ layout, loaded: loaded.database, journal, since });
  reportReplay(journal, replayed, report);
  const isInTheWay = journal.end === "damaged" && !mayRepair;
  if (journal.end === "damaged") {
    // A copy: until the next save, only the journal has the changes before the damage.
    const copy = mayRepair ? asidePath(path) : path;
    if (mayRepair) copyFileSync(path, copy);
    report(`The journal is damaged; changes after the damage could not be recovered. It is kept as ${copy}.`);
  }
  if (journal.lines.length === 0) {
    if (mayRepair) rmSync(path);
    return { ...loaded, journal: undefined, isInTheWay };
  }
  const lines = journal.lines.map((line, index) => ({ version: line.v, text: journal.texts[index] as string }));
  const base = { v: journal.header.v, hashes: journal.header.base };
  return { ...loaded, database, journal: { base, lines }, isInTheWay };
}

/** Removes temporary files of a journal and of conflict copies; a journal that was set aside has the data of the latter. */
function removeUnfinished(layout: Layout, journal: string): void {
  rmSync(`${journal}.tmp`, { force: true });
  const [before = "", after = ""] = layout.versionName("unsaved-TIME").split("TIME");
  removeTemporaries(layout.folder, (file) => file.startsWith(before) && file.endsWith(after));
}

function reportReplay({ end }: JournalContent, replayed: number, report: (text: string) => void): void {
  if (replayed > 0) {
    const changes = replayed === 1 ? "1 change" : `${replayed} changes`;
    report(`Recovered from the journal: ${changes} that an earlier process had acknowledged but not saved yet.`);
  }
  if (end === "torn") {
    report(
      "The last entry of the journal was cut off while it was written, before it was acknowledged; it is dropped.",
    );
  }
}
