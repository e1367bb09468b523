import type { Sql } from "../connections/connection.ts";
import { only } from "../sql/fragment.ts";

interface CountedRequest {
  readonly key: string;
  readonly windowSeconds: number;
  /** The time of a clock that was moved, in milliseconds. */
  readonly at: number | undefined;
}

/**
 * Counts a request, and starts a new window if the last one has ended. Uses the database's clock, so all processes agree.
 * A window that ends later than a new one ever could dates from before the clock was set back, so it has ended, too.
 */
export async function countRequest(sql: Sql, { key, windowSeconds, at }: CountedRequest): Promise<number> {
  const now = at === undefined ? sql`now()` : sql`to_timestamp(${at / 1000}::float8)`;
  const end = sql`${now} + make_interval(secs => ${windowSeconds})`;
  const isOpen = sql`r.ends_at > ${now} AND r.ends_at < ${now} + make_interval(secs => ${2 * windowSeconds})`;
  const rows = await sql<
    { count: string }[]
  >`INSERT INTO rates AS r VALUES (${key}, ${end}, 1) ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ${isOpen} THEN r.count + 1 ELSE 1 END,
    ends_at = CASE WHEN ${isOpen} THEN r.ends_at ELSE excluded.ends_at END RETURNING count`;
  return Number(only(rows).count);
}

export async function removeExpiredRates(sql: Sql, at: number): Promise<void> {
  await sql`DELETE FROM rates WHERE ends_at < to_timestamp(${at / 1000}::float8)`;
}
