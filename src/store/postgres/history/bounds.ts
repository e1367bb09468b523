import type { HistoryLimits } from "../../history.ts";
import type { Sql } from "../connections/connection.ts";
import { only, run, sql } from "../sql/fragment.ts";
import { MAX_NEWEST_BYTES, NEWEST } from "./noted-versions.ts";

/** The row of `meta` with the version and the time at which the history begins. */
const BEGIN = "history";

/** Which part of the past can be read. */
export interface HistoryBounds {
  /** The oldest version that can be read, and its time. */
  readonly oldest: number;
  readonly oldestTime: number;
  readonly latest: number;
}

interface BoundsRow {
  readonly begin: string | null;
  readonly latest: string | null;
  readonly broken: string | null;
  readonly broken_time: string | null;
  readonly dropped: string | null;
}

/** Lets the history begin, where it never has. */
export async function beginHistory(database: Sql, now: number): Promise<void> {
  await database`INSERT INTO meta VALUES (${BEGIN}, ${`0 ${now}`}) ON CONFLICT DO NOTHING`;
}

/** Whether there are versions. */
export async function hasVersions(database: Sql): Promise<boolean> {
  return only(await database<{ yes: boolean }[]>`SELECT EXISTS (SELECT FROM history) AS yes`).yes;
}

/** Reads the bounds of the history, and drops the versions that are beyond its limits. */
export async function readBounds(database: Sql, limits: HistoryLimits, now: number): Promise<HistoryBounds> {
  const row = await boundsRow(database, limits, now);
  if (row.dropped !== null) {
    await dropUpTo(database, row.dropped);
    return boundsOf(await boundsRow(database, limits, now));
  }
  return boundsOf(row);
}

async function boundsRow(database: Sql, { count, maxAgeMs, maxBytes }: HistoryLimits, now: number): Promise<BoundsRow> {
  const isTooOld = maxAgeMs === undefined ? sql`false` : sql`time < ${now - maxAgeMs}`;
  const isTooMany = count === undefined ? sql`false` : sql`place > ${count}`;
  // Its jobs are still to be made of it; but nobody may do so any more.
  const isJobless = sql`version < coalesce((SELECT min(u.version) FROM unhooked AS u
    WHERE u.made_at > now() - interval '1 hour'), 9223372036854775807)`;
  const rows = await run<BoundsRow>(
    database,
    sql`WITH ranked AS (SELECT version, time, edits IS NULL AS is_broken, sum(bytes) OVER newest AS bytes,
        row_number() OVER newest AS place FROM history WINDOW newest AS (ORDER BY version DESC)),
      broken AS (SELECT version, time FROM ranked WHERE is_broken ORDER BY version DESC LIMIT 1)
      SELECT (SELECT value FROM meta WHERE key = ${BEGIN}) AS begin, max(version) AS latest,
        (SELECT version FROM broken) AS broken, (SELECT time FROM broken) AS broken_time,
        max(version) FILTER (WHERE ${isJobless} AND (${isTooMany} OR ${isTooOld} OR
          bytes > CASE WHEN place > ${NEWEST} THEN ${maxBytes}::bigint ELSE ${MAX_NEWEST_BYTES}::bigint END)) AS dropped
      FROM ranked`,
  );
  return only(rows);
}

function boundsOf({ begin, latest, broken, broken_time }: BoundsRow): HistoryBounds {
  const [first = 0, time = 0] = (begin ?? "").split(" ").map(Number);
  const isLater = broken !== null && Number(broken) >= first;
  return {
    oldest: isLater ? Number(broken) : first,
    oldestTime: isLater ? Number(broken_time) : time,
    latest: Math.max(first, Number(latest ?? 0)),
  };
}

/** Drops old versions; the history begins with the data after them. Others may do the same meanwhile. */
async function dropUpTo(database: Sql, version: string): Promise<void> {
  await database`WITH gone AS (DELETE FROM history WHERE version <= ${version}::bigint RETURNING version, time)
    INSERT INTO meta SELECT ${BEGIN}, version || ' ' || time FROM gone WHERE version = ${version}::bigint
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
      WHERE split_part(meta.value, ' ', 1)::bigint < split_part(excluded.value, ' ', 1)::bigint`;
}

/** The latest version, inside a transaction that keeps writers waiting. */
export async function latestVersion(database: Sql): Promise<number> {
  const rows = await database<{ latest: string }[]>`SELECT greatest((SELECT max(version) FROM history),
    (SELECT split_part(value, ' ', 1)::bigint FROM meta WHERE key = ${BEGIN})) AS latest`;
  return Number(only(rows).latest);
}

/** Drops all versions, inside a transaction. */
export async function dropAll(database: Sql, now: number): Promise<void> {
  await waitForWriters(database);
  const { latest } = only(await database<{ latest: string | null }[]>`SELECT max(version) AS latest FROM history`);
  if (latest === null) return;
  await database`DELETE FROM history`;
  await database`INSERT INTO meta VALUES (${BEGIN}, ${`${latest} ${now}`})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}

/**
 * Waits until every version that has a number is committed, inside a transaction. A sequence gives the numbers, so that
 * writers of different members need not wait for each other: without this, a lower one may appear after a higher one.
 */
export async function waitForWriters(database: Sql): Promise<void> {
  await database`LOCK TABLE history IN SHARE ROW EXCLUSIVE MODE`;
}
