import { inSlices } from "../../../base/slices.ts";
import type { Origin } from "../../history.ts";
import type { Change } from "../../store.ts";
import { type Fragment, sql } from "../sql/fragment.ts";
import {
  breakSql,
  type IdKeyOf,
  type NotedChange,
  type Noting,
  notedChange,
  notedEdit,
  noteSql,
  unhookedSql,
} from "./noted-versions.ts";

/** A change of a batch, and who makes it. */
export interface OriginatedChange {
  readonly change: Change;
  readonly origin: Origin;
}

/** The versions of a batch, one for each change. */
export async function notedChanges(
  { limits }: Noting,
  changes: readonly OriginatedChange[],
  idKeyOf: IdKeyOf,
): Promise<NotedChange[]> {
  if (!limits) return [];
  const noted: NotedChange[] = [];
  for (const { change, origin } of changes) {
    const [edit, second] = change.edits;
    if (edit && !second) noted.push(notedEdit(edit, origin, idKeyOf));
    else noted.push(await inSlices(notedChange(change.edits, origin, idKeyOf)));
  }
  return noted;
}

interface ProvedBatch {
  readonly token: string;
  readonly noted: readonly NotedChange[];
  readonly hasChanges: boolean;
}

/** Stores the proof of a commit, and the versions that it makes: one statement costs less than two. */
export function proofSql(noting: Noting, { token, noted, hasChanges }: ProvedBatch): Fragment {
  const proof = sql`INSERT INTO writes (token) VALUES (${token})`;
  if (noted.length > 0) {
    const hooked = noting.isHooked ? sql`, hooked AS (${unhookedSql(noted)})` : sql``;
    return sql`WITH noted AS (${noteSql(noted, noting.now())}), proof AS (${proof})${hooked} SELECT version FROM noted`;
  }
  return hasChanges && noting.hasPast && !noting.limits
    ? sql`WITH noted AS (${breakSql(noting.now())}) ${proof}`
    : proof;
}

/** Changes with the versions that the database has given them, by those without. */
export function versionedChanges(
  changes: readonly OriginatedChange[],
  noted: readonly NotedChange[],
  rows: readonly object[],
): ReadonlyMap<Change, Change> {
  const versioned = new Map<Change, Change>();
  for (const [at, { change }] of changes.entries()) {
    const [row, kept] = [rows[at], noted[at]];
    if (!row || !kept || !("version" in row)) continue;
    versioned.set(change, { ...change, noted: { version: Number(row.version), isKept: kept.edits !== null } });
  }
  return versioned;
}
