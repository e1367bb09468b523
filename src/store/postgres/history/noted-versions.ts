import { STEP, type Work } from "../../../base/slices.ts";
import type { HistoryLimits, Origin } from "../../history.ts";
import { idOf } from "../../ids.ts";
import { countEdits } from "../../memory/history/kept-change.ts";
import type { Edit } from "../../store.ts";
import { editedRecord, type StoredRecord } from "../../stored-record.ts";
import { type Fragment, join, sql } from "../sql/fragment.ts";
import { encodeText } from "../tables/coded-text.ts";

/** The newest versions are kept however large they are, up to `MAX_NEWEST_BYTES` together. */
export const NEWEST = 10;
export const MAX_NEWEST_BYTES = 256 * 2 ** 20;

/** How the changes of a store get into its history. */
export interface Noting {
  /** Undefined where no history is kept. */
  readonly limits: HistoryLimits | undefined;
  /** Whether the database has a history that other processes keep, or this one did. */
  readonly hasPast: boolean;
  now(): number;
  /** Whether every version waits for its jobs. */
  isHooked: boolean;
}

/** A version of changed records, as a row of `history`. */
export interface NotedChange {
  readonly origin: Origin;
  readonly counts: string;
  readonly touched: string;
  /** Null where they are too large to be kept. */
  readonly edits: string | null;
}

/** Prepares the row of a change of one record, which most are. */
export function notedEdit(edit: Edit, origin: Origin, idKeyOf: IdKeyOf): NotedChange {
  const { name, before, after } = edit;
  const id = idOf(editedRecord(edit).value, idKeyOf(name));
  const touched = touchedLine(name) + (id === undefined ? "" : touchedLine(name, String(id)));
  const created = before ? 0 : 1;
  const removed = after ? 0 : 1;
  const counts = `{${JSON.stringify(name)}:{"created":${created},"updated":${1 - created - removed},"removed":${removed}}}`;
  return { origin, counts, touched, edits: textLength(edit) <= MAX_NEWEST_BYTES ? editText(edit) : null };
}

/** Prepares the row of a change, with pauses. Its records have their texts. */
export function* notedChange(edits: readonly Edit[], origin: Origin, idKeyOf: IdKeyOf): Work<NotedChange> {
  const counts = JSON.stringify(yield* countEdits(edits));
  const touched = [...new Set(edits.map(({ name }) => touchedLine(name)))];
  const texts: string[] = [];
  let length = 0;
  for (const [position, edit] of edits.entries()) {
    const { name } = edit;
    const id = idOf(editedRecord(edit).value, idKeyOf(name));
    if (id !== undefined) touched.push(touchedLine(name, String(id)));
    length += textLength(edit);
    if (length <= MAX_NEWEST_BYTES) texts.push(editText(edit));
    if (position % STEP === STEP - 1) yield;
  }
  const isKept = length <= MAX_NEWEST_BYTES;
  return { origin, counts, touched: touched.join(""), edits: isKept ? texts.join(",") : null };
}

export type IdKeyOf = (collection: string) => string;

/** A line of `touched`, by which versions of a member or of a record are found. */
export function touchedLine(name: string, id?: string): string {
  return `\n${encodeText(name)}${id === undefined ? "" : `\t${encodeText(id)}`}\n`;
}

/** An edit as the column `edits` has it: name, record before, record after; a record is its value and its slot. */
export function editText({ name, before, after }: Edit): string {
  return `[${JSON.stringify(name)},${recordText(before)},${recordText(after)}]`;
}

function recordText(record: StoredRecord | undefined): string {
  return record ? `[${record.text},${record.slot}]` : "null";
}

function textLength({ before, after }: Edit): number {
  return (before?.text.length ?? 0) + (after?.text.length ?? 0);
}

/** Adds versions to the history, in their order, and returns their numbers. */
export function noteSql(changes: readonly NotedChange[], time: number): Fragment {
  const rows = changes.map(
    ({
      origin,
      counts,
      touched,
      edits,
    }) => sql`(${time}, ${encodeText(origin.by ?? BY_PROGRAM)}, ${origin.cause ?? null},
      'change', ${counts}, ${touched}, ${edits}, ${edits?.length ?? 0})`,
  );
  return sql`INSERT INTO history (time, origin, cause, kind, counts, touched, edits, bytes)
    VALUES ${join(rows, ", ")} RETURNING version`;
}

/** Lets the versions of `noted` wait for their jobs. */
export function unhookedSql(changes: readonly NotedChange[]): Fragment {
  return sql`INSERT INTO unhooked (version, depth) SELECT version, depth
    FROM (SELECT version, row_number() OVER (ORDER BY version) AS place FROM noted) AS n
    JOIN unnest(${changes.map(({ origin }) => String(origin.depth ?? 0))}::text[]::int[]) WITH ORDINALITY AS d(depth, place)
    USING (place)`;
}

/** The origin of changes that no request makes. */
export const BY_PROGRAM = "program";

/** Notes that data changes while nobody keeps the records, unless that is the latest version already. */
export function breakSql(time: number): Fragment {
  return sql`INSERT INTO history (time, origin, cause, kind) SELECT ${time}, ${BY_PROGRAM}, 'history off', 'change'
    WHERE (SELECT edits IS NOT NULL FROM history ORDER BY version DESC LIMIT 1)`;
}
