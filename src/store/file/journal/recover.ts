import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, StartError } from "../../../base/errors.ts";
import { overwriteNow, removeTemporaries } from "../../../base/files/atomic-write.ts";
import { type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import type { Receipt } from "../../receipts.ts";
import { isWhole } from "../formats/formats.ts";
import type { ReadLine } from "../history/read-back.ts";
import { isEntry, pastOfAll } from "../history/recovered-past.ts";
import type { Layout, Loaded } from "../layout.ts";
import { asidePath, ownFile, setAside } from "../own-folder.ts";
import { hashFile } from "../read-data-file.ts";
import { ReceiptFile } from "../receipt-file.ts";
import { putBackLostFiles } from "../replaced/lost-files.ts";
import {
  decodeJournal,
  encodeLine,
  type Hashes,
  type JournalContent,
  type JournalLine,
  type WholeNote,
} from "./journal-format.ts";
import type { Base } from "./journal-writer.ts";
import type { Line } from "./long-line.ts";
import { changedFiles, filesOf, holdsUpTo, notesOf, replay, startingPoints } from "./replay.ts";

/** The data files after a start, merged with the changes that a crash left in the journal. */
export interface Recovered extends Loaded {
  /** The journal to continue, if it still has lines. */
  readonly journal: RecoveredJournal | undefined;
  /** A journal whose changes lost to an edit of the files. */
  readonly superseded?: SupersededJournal;
  /** A journal that must be kept still has its name: set it aside before creating another one. */
  readonly isInTheWay?: boolean;
  /** The receipts of requests that the data holds, oldest first. */
  readonly receipts: readonly Receipt[];
}

export interface RecoveredJournal {
  readonly base: Base;
  readonly lines: readonly Line[];
  /** The changes, as the history keeps them. */
  readonly past: readonly ReadLine[];
  readonly entries: readonly JournalLine[];
  /** The files that its changes concern. */
  readonly files: ReadonlySet<string>;
}

export interface SupersededJournal {
  /** Its changes: they are versions all the same, and their numbers must never be used again. */
  readonly past: readonly ReadLine[];
  readonly entries: readonly JournalLine[];
  /** Takes the journal out of the way. Call it when the history has the changes. */
  readonly putAway: () => void;
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
  const readReceipts = (...accepted: readonly (() => Hashes)[]): Receipt[] =>
    new ReceiptFile(layout.anchor).read({ accepted, warn: report, mayRepair });
  if (!existsSync(path)) {
    const loaded = layout.load();
    return { ...loaded, journal: undefined, receipts: readReceipts(() => hashesOf(loaded)) };
  }
  if (journal && mayRepair) {
    finishOverwrite(layout, journal, warn);
    const mentioned = new Set([...filesOf(journal), ...changedFiles(layout, journal)]);
    removeTemporaries(layout.folder, (file) => mentioned.has(file));
  }
  const whole = mayRepair && journal ? wholeData(layout, journal) : undefined;
  const loaded = load(layout, whole, warn);
  const since = journal && startingPoints(layout, loaded, journal);
  if (!journal || !since) {
    const past = journal ? pastOfAll(journal.lines, journal.texts, Date.now()) : [];
    const putAway = (): void => {
      if (whole) dropWhole(layout, { whole, loaded, path }, warn);
      else {
        const reason = journal ? "the data file was changed after it was written" : "it cannot be read";
        const kept = mayRepair ? setAside(path) : path;
        report(`A journal of unsaved changes was found, but ${reason}. It is kept as ${kept}.`);
      }
    };
    return {
      ...loaded,
      journal: undefined,
      superseded: { past, entries: journal?.lines ?? [], putAway },
      isInTheWay: !mayRepair,
      receipts: [],
    };
  }
  const { database, replayed } = replay({ layout, loaded: loaded.database, journal, since });
  reportReplay(journal, replayed, report);
  // A checkpoint writes the receipts when the files are in place, and drops the journal's lines after that.
  const saved = readReceipts(
    () => journal.header.base,
    () => hashesOf(loaded),
  );
  const receipts = receiptsAfter(saved, journal);
  const isInTheWay = journal.end === "damaged" && !mayRepair;
  if (journal.end === "damaged") {
    // A copy: until the next save, only the journal has the changes before the damage.
    const copy = mayRepair ? asidePath(path) : path;
    if (mayRepair) copyFileSync(path, copy);
    report(`The journal is damaged; changes after the damage could not be recovered. It is kept as ${copy}.`);
  }
  if (journal.lines.length === 0) {
    if (mayRepair) rmSync(path);
    return { ...loaded, journal: undefined, isInTheWay, receipts };
  }
  const now = Date.now();
  const past = pastOfAll(journal.lines, journal.texts, now);
  const pastLines = new Map(past.map(({ line }) => [line.v, encodeLine(stringifyJson(line))]));
  const lines = journal.lines.map((line, index) => ({
    version: line.v,
    text: journal.texts[index] ?? "",
    past: isEntry(line) ? pastLines.get(line.v) : undefined,
  }));
  const base = { v: journal.header.v, hashes: journal.header.base };
  const continued = { base, lines, past, entries: journal.lines, files: changedFiles(layout, journal) };
  return { ...loaded, database, journal: continued, isInTheWay, receipts };
}

/** Loads the files; where that fails, saves the data that an earlier process could not write to them. */
function load(layout: Layout, whole: JsonObject | undefined, warn: (text: string) => void): Loaded {
  try {
    return layout.load();
  } catch (thrown) {
    if (whole) reportWhole(layout, whole, warn);
    throw thrown;
  }
}

/** Removes a journal whose data is saved beside the files, or is that of the files. */
function dropWhole(layout: Layout, { whole, loaded, path }: Dropping, warn: (text: string) => void): void {
  if (stringifyJson(whole) !== stringifyJson(loaded.database)) reportWhole(layout, whole, warn);
  rmSync(path);
}

interface Dropping {
  readonly whole: JsonObject;
  readonly loaded: Loaded;
  readonly path: string;
}

function reportWhole(layout: Layout, whole: JsonObject, warn: (text: string) => void): void {
  const copy = saveBesideNow(layout, whole);
  warn(`An earlier process ended while ${layout.place} could not be loaded. All data it had is in ${copy}.`);
}

export function hashesOf({ observed }: Loaded): Hashes {
  return Object.fromEntries([...observed].map(([file, { hash }]) => [file, hash]));
}

/** Adds the receipts of the journal's entries. A replacement of the database ends all receipts before it. */
function receiptsAfter(saved: readonly Receipt[], { lines }: JournalContent): Receipt[] {
  let receipts = [...saved];
  for (const line of lines) {
    if ("database" in line) receipts = [];
    else if ("edits" in line && line.receipt) receipts.push(line.receipt);
  }
  return receipts;
}

/** Removes temporary files of a journal and of conflict copies; a journal that was set aside has the data of the latter. */
function removeUnfinished(layout: Layout, journal: string): void {
  rmSync(`${journal}.tmp`, { force: true });
  new ReceiptFile(layout.anchor).removeUnfinished();
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

/** Repeats an overwrite in place that a crash interrupted, from the complete copy beside the file. */
function finishOverwrite(layout: Layout, journal: JournalContent, warn: (text: string) => void): void {
  for (const file of filesOf(journal)) {
    const path = join(layout.folder, file);
    const copy = completeCopy(layout, journal, file);
    if (copy === undefined || holdsUpTo(journal, file, hashFile(path)) !== undefined) continue;
    const found = readFileSync(path);
    if (isWhole(found, file)) {
      // An interrupted overwrite rarely leaves valid JSON: perhaps the user repaired the file by hand.
      const aside = join(layout.folder, layout.versionName(`outside-${Date.now()}`, file));
      writeFileSync(aside, found);
      warn(`${path} was being overwritten when an earlier process ended. Its content until now is kept as ${aside}.`);
    }
    try {
      overwriteNow(path, readFileSync(copy));
    } catch (thrown) {
      throw new StartError(
        `${path} was being overwritten when an earlier process ended, and that cannot be finished ` +
          `(${messageOf(thrown)}). Its complete content is in ${copy}.`,
      );
    }
  }
}

/** The path of the latest copy that a note names and whose content matches that note. */
function completeCopy(layout: Layout, journal: JournalContent, file: string): string | undefined {
  for (const { folded, inPlace } of notesOf(journal).reverse()) {
    if (inPlace === undefined || folded[file] === undefined) continue;
    const path = join(layout.folder, inPlace);
    if (hashFile(path) === folded[file]) return path;
  }
  return undefined;
}

/** All data after the last line of a journal, if the journal has it: no file is needed then. */
function wholeData(layout: Layout, journal: JournalContent): JsonObject | undefined {
  const note = journal.lines.findLast((line): line is WholeNote => "whole" in line);
  // An older one lacks the lines that a save has dropped.
  if (!note || note.v < journal.header.v) return undefined;
  // Changes may be written while the data before them is encoded, so they come before the note, too.
  const rest = { ...journal, lines: journal.lines.filter(({ v }) => v > note.v) };
  return replay({ layout, loaded: note.whole, journal: rest, since: new Map() }).database;
}

/** Saves all data beside the files, unless an earlier copy has it. Returns the path of the copy. */
function saveBesideNow({ folder, versionName }: Layout, database: JsonObject): string {
  const text = `${stringifyJson(database, 2)}\n`;
  const [before = "", after = ""] = versionName("unsaved-TIME").split("TIME");
  const copies = readdirSync(folder).filter((name) => name.startsWith(before) && name.endsWith(after));
  const known = copies.find((name) => readFileSync(join(folder, name), "utf8") === text);
  const copy = join(folder, known ?? `${before}${Date.now()}${after}`);
  if (known === undefined) writeFileSync(copy, text, { flag: "wx" });
  return copy;
}
