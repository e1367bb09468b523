import type { AlteredMember, KeptVersion, VersionEdit, VersionHead, VersionPage, VersionQuery } from "../../history.ts";
import type { Sql } from "../connections/connection.ts";
import { join, run, sql } from "../sql/fragment.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import { type KeptEdit, keptRecord, readList } from "./earlier-data.ts";
import { touchedLine } from "./noted-versions.ts";

interface HeadRow {
  readonly version: string;
  readonly time: string;
  readonly origin: string;
  readonly cause: string | null;
  readonly kind: VersionHead["kind"];
  readonly counts: string;
  readonly members: string | null;
  readonly is_kept: boolean;
}

const HEAD = sql`version, time, origin, cause, kind, counts, members, edits IS NOT NULL AS is_kept`;

/** The versions that a query asks for, newest first. */
export async function listVersions(database: Sql, query: VersionQuery): Promise<VersionPage> {
  const { collection, id, by, since, before, limit } = query;
  const conditions = [
    sql`true`,
    ...(collection === undefined ? [] : [sql`strpos(touched, ${touchedLine(collection, id)}) > 0`]),
    ...(by === undefined ? [] : [sql`origin = ${encodeText(by)}`]),
    ...(since === undefined ? [] : [sql`time >= ${since}`]),
    ...(before === undefined ? [] : [sql`version < ${before}`]),
  ];
  const rows = await run<HeadRow>(
    database,
    sql`SELECT ${HEAD} FROM history WHERE ${join(conditions, " AND ")} ORDER BY version DESC LIMIT ${limit + 1}`,
  );
  const versions = rows.slice(0, limit).map(headOf);
  return rows.length > limit ? { versions, next: versions.at(-1)?.version } : { versions };
}

/** One version with its records; undefined where there is none of this number. */
export async function findVersion(database: Sql, version: number): Promise<KeptVersion | undefined> {
  const [row] = await run<HeadRow & { edits: string | null }>(
    database,
    sql`SELECT ${HEAD}, edits FROM history WHERE version = ${version}`,
  );
  if (!row) return undefined;
  // The records of a member that went are kept for the way back alone: the member says it all.
  const edits = row.kind === "members" ? "" : (row.edits ?? "");
  return { ...headOf(row), edits: readList<KeptEdit>(edits).map(editOf) };
}

function editOf([name, before, after]: KeptEdit): VersionEdit {
  return { name, before: keptRecord(before), after: keptRecord(after) };
}

function headOf({ version, time, origin, cause, kind, counts, members, is_kept }: HeadRow): VersionHead {
  return {
    version: Number(version),
    time: Number(time),
    by: decodeText(origin),
    ...(cause !== null && { cause }),
    kind,
    counts: JSON.parse(counts) as VersionHead["counts"],
    ...(members !== null && { members: JSON.parse(members) as AlteredMember[] }),
    isKept: is_kept,
  };
}
