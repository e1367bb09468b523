import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { overwrite, removeTemporaries } from "../../atomic-write.ts";
import { messageOf, StartError } from "../../errors.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Base, Line } from "./journal.ts";
import {
  decodeJournal,
  type EditsEntry,
  type FoldNote,
  type JournalContent,
  type JournalEdit,
  type JournalLine,
} from "./journal-format.ts";
import { ABSENT, hashFile, type Layout, type Loaded } from "./layout.ts";
import { asidePath, ownFile, setAside } from "./own-folder.ts";

/** What a crash left behind, brought together with the data files. */
export interface Recovered extends Loaded {
  /** How many changes came from the journal. */
  readonly replayed: number;
  /** The journal to go on with, when it still holds something. */
  readonly journal: { readonly base: Base; readonly lines: readonly Line[] } | undefined;
}

/**
 * Loads the data files and, where a process ended without folding its journal, the changes that only the journal holds.
 * With `mend` the disk is put in order, too: a torn overwrite is finished, leftovers go, a journal that does not belong to
 * the files is set aside. Without it nothing is touched.
 */
export async function recover(layout: Layout, warn: (text: string) => void, mend: boolean): Promise<Recovered> {
  const path = ownFile(layout.anchor, "journal");
  if (mend) rmSync(`${path}.tmp`, { force: true });
  if (!existsSync(path)) return { ...layout.load(), replayed: 0, journal: undefined };
  const journal = decodeJournal(readFileSync(path));
  if (journal && mend) await finishOverwrite(layout, journal, warn);
  if (journal && mend) for (const file of filesOf(journal)) removeTemporaries(join(layout.folder, file));
  const loaded = layout.load();
  const since = journal && startingPoints(layout, loaded, journal);
  if (!journal || !since) {
    const reason = journal ? "the data file was changed after it was written" : "it cannot be read";
    if (mend) warn(`A journal of unsaved changes was found, but ${reason}. It is kept as ${setAside(path)}.`);
    return { ...loaded, replayed: 0, journal: undefined };
  }
  const { database, replayed } = replay(layout, loaded.database, journal, since);
  if (replayed > 0 && mend) {
    const changes = replayed === 1 ? "1 change" : `${replayed} changes`;
    warn(`Recovered from the journal: ${changes} that an earlier process had acknowledged but not saved yet.`);
  }
  if (journal.end === "torn" && mend) {
    warn("The last entry of the journal was cut off in the act of writing, before it was acknowledged; it is dropped.");
  }
  if (journal.end === "damaged" && mend) {
    // A copy: until the next save, nothing else holds the changes before the damage.
    const aside = asidePath(path);
    copyFileSync(path, aside);
    warn(`The journal is damaged; changes after the damage could not be recovered. It is kept as ${aside}.`);
  }
  const lines = journal.lines.map((line, index) => ({ version: line.v, text: journal.texts[index] as string }));
  return {
    ...loaded,
    database,
    replayed,
    journal: { base: { v: journal.header.v, hashes: journal.header.base }, lines },
  };
}

/** An overwrite in place that did not finish has its complete content beside it; write it again. */
async function finishOverwrite(layout: Layout, journal: JournalContent, warn: (text: string) => void): Promise<void> {
  for (const file of filesOf(journal)) {
    const path = join(layout.folder, file);
    const isWhole = (hash: string): boolean => holdsUpTo(journal, file, hash) !== undefined;
    const copy = notesOf(journal).findLast(
      ({ inPlace, folded }) => inPlace !== undefined && folded[file] === hashFile(join(layout.folder, inPlace)),
    )?.inPlace;
    if (copy === undefined || isWhole(hashFile(path))) continue;
    const found = readFileSync(path);
    if (isJson(found)) {
      // Not what half an overwrite leaves, as a rule: perhaps somebody put the file right by hand.
      const aside = join(layout.folder, layout.versionName(`outside-${Date.now()}`, file));
      writeFileSync(aside, found);
      warn(`${path} was being overwritten when an earlier process ended. What it held until now is kept as ${aside}.`);
    }
    await overwrite(path, readFileSync(join(layout.folder, copy))).catch((thrown) => {
      throw new StartError(
        `${path} was being overwritten when an earlier process ended, and cannot be finished now (${messageOf(thrown)}). ` +
          `Its complete content is in ${join(layout.folder, copy)}.`,
      );
    });
  }
}

function isJson(content: Buffer): boolean {
  try {
    JSON.parse(content.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function notesOf({ lines }: JournalContent): FoldNote[] {
  return lines.filter((line): line is FoldNote => "folded" in line);
}

/** Every file that the journal knows something of. */
function filesOf(journal: JournalContent): Set<string> {
  return new Set([
    ...Object.keys(journal.header.base),
    ...notesOf(journal).flatMap(({ folded }) => Object.keys(folded)),
  ]);
}

/** The version up to which a file with this content holds the journal's entries; undefined when it never had it. */
function holdsUpTo(journal: JournalContent, file: string, hash: string): number | undefined {
  const note = notesOf(journal).findLast(({ folded }) => folded[file] === hash);
  if (note) return note.v;
  return (journal.header.base[file] ?? ABSENT) === hash ? journal.header.v : undefined;
}

/** For each file the version up to which it holds the journal's entries; undefined when a file was changed since. */
function startingPoints(layout: Layout, { seen }: Loaded, journal: JournalContent): Map<string, number> | undefined {
  const changed = new Set(journal.lines.flatMap(membersOf).map(layout.fileOf));
  const known = filesOf(journal);
  const since = new Map<string, number>();
  for (const file of new Set([...known, ...seen.keys()])) {
    // Somebody put it there, and the journal has nothing to say about it.
    const isForeign = !known.has(file) && !changed.has(file);
    const version = isForeign ? Number.POSITIVE_INFINITY : holdsUpTo(journal, file, seen.get(file)?.hash ?? ABSENT);
    if (version === undefined) return undefined;
    since.set(file, version);
  }
  return since;
}

function membersOf(line: JournalLine): string[] {
  if ("edits" in line) return line.edits.map(([, name]) => name);
  return "database" in line ? Object.keys(line.database) : [];
}

function replay(layout: Layout, loaded: JsonObject, { lines }: JournalContent, since: ReadonlyMap<string, number>) {
  let database = loaded;
  let replayed = 0;
  const isNew = (member: string, version: number): boolean => version > (since.get(layout.fileOf(member)) ?? 0);
  for (const line of lines) {
    if ("database" in line) {
      const kept = Object.entries(database).filter(([name]) => !isNew(name, line.v));
      const fresh = Object.entries(line.database).filter(([name]) => isNew(name, line.v));
      if (fresh.length > 0) replayed++;
      database = Object.fromEntries([...fresh, ...kept]);
    } else if ("edits" in line) {
      const edits = (line as EditsEntry).edits.filter(([, name]) => isNew(name, line.v));
      if (edits.length > 0) replayed++;
      for (const edit of edits) applyEdit(database, edit);
    }
  }
  return { database, replayed };
}

function applyEdit(database: JsonObject, edit: JournalEdit): void {
  const [kind, name] = edit;
  const member = database[name];
  if (kind === "=" && edit[2] === null) {
    database[name] = edit[3];
    return;
  }
  if (!Array.isArray(member)) throw new StartError(`The journal changes "${name}", which is no collection.`);
  const records: Json[] = member;
  if (kind === "+") records.push(edit[2]);
  else if (kind === "=") records[edit[2] as number] = edit[3];
  else records.splice(edit[2], 1);
}
