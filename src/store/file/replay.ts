import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { overwrite, temporaryPrefix } from "../../atomic-write.ts";
import { StartError } from "../../errors.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Base, Line } from "./journal.ts";
import {
  decodeJournal,
  type EditsEntry,
  type FoldNote,
  type JournalContent,
  type JournalEdit,
} from "./journal-format.ts";
import { ABSENT, hashFile, type Layout, type Loaded } from "./layout.ts";
import { ownFile } from "./own-folder.ts";

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
  if (!existsSync(path)) return { ...layout.load(), replayed: 0, journal: undefined };
  const journal = decodeJournal(readFileSync(path, "utf8"));
  if (journal && mend) await finishOverwrite(layout, journal);
  if (journal && mend) removeTemporaries(layout, journal);
  const loaded = layout.load();
  const since = journal && startingPoints(loaded, journal);
  if (!journal || !since) {
    const reason = journal ? "the data file was changed after it was written" : "it cannot be read";
    if (mend) warn(`A journal of unsaved changes was found, but ${reason}. It is kept as ${setAside(path)}.`);
    return { ...loaded, replayed: 0, journal: undefined };
  }
  const { database, replayed } = replay(layout, loaded.database, journal, since);
  if (replayed > 0 && mend) warn(`${replayed} changes that an earlier process had not saved yet were recovered.`);
  if (journal.end === "torn" && mend) {
    warn("The last entry of the journal was cut off in the act of writing, before it was acknowledged; it is dropped.");
  }
  if (journal.end === "damaged" && mend) {
    warn(`The journal is damaged; changes after the damage could not be recovered. It is kept as ${setAside(path)}.`);
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
async function finishOverwrite(layout: Layout, { lines }: JournalContent): Promise<void> {
  for (const line of lines) {
    if (!("folded" in line) || line.inPlace === undefined) continue;
    for (const [file, hash] of Object.entries(line.folded)) {
      const copy = join(layout.folder, line.inPlace);
      if (hashFile(copy) === hash && hashFile(join(layout.folder, file)) !== hash) {
        await overwrite(join(layout.folder, file), readFileSync(copy));
      }
    }
  }
}

/** What a crash left half made; only of our own files, for a neighbour may be at work in the same folder. */
function removeTemporaries(layout: Layout, { header }: JournalContent): void {
  const prefixes = Object.keys(header.base).map(temporaryPrefix);
  for (const name of readdirSync(layout.folder)) {
    const isOurs = prefixes.some(
      (prefix) => name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)),
    );
    if (isOurs) rmSync(join(layout.folder, name), { force: true });
  }
}

/** For each file the version up to which it holds the journal's entries; undefined when a file is none of ours. */
function startingPoints({ hashes }: Loaded, { header, lines }: JournalContent): Map<string, number> | undefined {
  const notes = lines.filter((line): line is FoldNote => "folded" in line);
  const files = new Set([
    ...Object.keys(header.base),
    ...Object.keys(hashes),
    ...notes.flatMap((note) => Object.keys(note.folded)),
  ]);
  const since = new Map<string, number>();
  for (const file of files) {
    const hash = hashes[file] ?? ABSENT;
    const note = notes.findLast(({ folded }) => folded[file] === hash);
    if (note) since.set(file, note.v);
    else if ((header.base[file] ?? ABSENT) === hash) since.set(file, header.v);
    else return undefined;
  }
  return since;
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

function setAside(path: string): string {
  const aside = `${path}.${Date.now()}.aside`;
  renameSync(path, aside);
  return aside;
}
