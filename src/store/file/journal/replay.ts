import { StartError } from "../../../base/errors.ts";
import type { Json, JsonObject } from "../../../base/json/json.ts";
import type { Layout, Loaded } from "../layout.ts";
import { ABSENT } from "../read-data-file.ts";
import type { FoldNote, JournalContent, JournalEdit, JournalLine, JournalMemberEdit } from "./journal-format.ts";

/** For each data file the version up to which it holds the journal's entries. */
export type StartingPoints = ReadonlyMap<string, number>;

/** Finds them by the content of each file; undefined when a file was changed after the journal was written. */
export function startingPoints(
  layout: Layout,
  { observed }: Loaded,
  journal: JournalContent,
): StartingPoints | undefined {
  const changed = changedFiles(layout, journal);
  const known = filesOf(journal);
  const since = new Map<string, number>();
  for (const file of new Set([...known, ...observed.keys()])) {
    // The user added it, and the journal has no entries for it.
    const isForeign = !known.has(file) && !changed.has(file);
    const version = isForeign ? Number.POSITIVE_INFINITY : holdsUpTo(journal, file, observed.get(file)?.hash ?? ABSENT);
    if (version === undefined) return undefined;
    since.set(file, version);
  }
  return since;
}

/** The files of all members that the journal's entries change. */
export function changedFiles(layout: Layout, { lines }: JournalContent): Set<string> {
  return new Set(lines.flatMap(membersOf).map((member) => layout.fileOf(member)));
}

function membersOf(line: JournalLine): string[] {
  if ("edits" in line) return line.edits.map(([, name]) => name);
  if ("members" in line) return line.members.flatMap((edit) => (edit[0] === "~" ? [edit[1], edit[2]] : [edit[1]]));
  return "database" in line ? Object.keys(line.database) : [];
}

export interface Replay {
  readonly layout: Layout;
  /** The database as its files hold it. */
  readonly loaded: JsonObject;
  readonly journal: JournalContent;
  readonly since: StartingPoints;
}

/** Applies the entries that the files do not hold yet. Returns the database after them, and their number. */
export function replay({ layout, loaded, journal, since }: Replay): { database: JsonObject; replayed: number } {
  let database = loaded;
  let replayed = 0;
  const isNew = (member: string, version: number): boolean => version > (since.get(layout.fileOf(member)) ?? 0);
  for (const line of journal.lines) {
    if ("database" in line) {
      const current = Object.entries(database).filter(([name]) => !isNew(name, line.v));
      const fresh = Object.entries(line.database).filter(([name]) => isNew(name, line.v));
      if (fresh.length > 0) replayed++;
      database = Object.fromEntries([...fresh, ...current]);
    } else if ("edits" in line) {
      const edits = line.edits.filter(([, name]) => isNew(name, line.v));
      if (edits.length > 0) replayed++;
      for (const edit of edits) applyEdit(database, edit);
    } else if ("members" in line) {
      const edits = line.members.filter(([, name]) => isNew(name, line.v));
      if (edits.length > 0) replayed++;
      for (const edit of edits) database = applyMemberEdit(database, edit);
    }
  }
  return { database, replayed };
}

function applyMemberEdit(database: JsonObject, [kind, name, value]: JournalMemberEdit): JsonObject {
  const members = Object.entries(database);
  if (kind === "+") return Object.fromEntries([...members.filter(([one]) => one !== name), [name, value]]);
  if (kind === "-") return Object.fromEntries(members.filter(([one]) => one !== name));
  return Object.fromEntries(members.map(([one, content]) => [one === name ? value : one, content]));
}

function applyEdit(database: JsonObject, edit: JournalEdit): void {
  const [kind, name] = edit;
  const member = database[name];
  if (kind === "=" && edit[2] === null) {
    database[name] = edit[3];
    return;
  }
  if (!Array.isArray(member)) throw new StartError(`The journal changes "${name}", which is not a collection.`);
  const records: Json[] = member;
  if (kind === "+") records.splice(edit[3] ?? records.length, 0, edit[2]);
  else if (kind === "=") records[edit[2] as number] = edit[3];
  else records.splice(edit[2], 1);
}

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
