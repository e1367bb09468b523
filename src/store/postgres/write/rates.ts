import type { Sql } from "../connections/connection.ts";

/**
 * Counts a request; a window that has ended begins anew with it. The clock is the database's, so all processes agree. A
 * window that would end more than its length too late is left over from before the clock was set back: it is over, too.
 */
export async function countRequest(sql: Sql, key: string, windowSeconds: number): Promise<number> {
  const end = sql`now() + make_interval(secs => ${windowSeconds})`;
  const isOpen = sql`r.ends_at > now() AND r.ends_at < now() + make_interval(secs => ${2 * windowSeconds})`;
  const [row] = await sql`INSERT INTO rates AS r VALUES (${key}, ${end}, 1) ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN ${isOpen} THEN r.count + 1 ELSE 1 END,
    ends_at = CASE WHEN ${isOpen} THEN r.ends_at ELSE excluded.ends_at END RETURNING count`;
  return Number(row!.count);
}

export async function forgetRates(sql: Sql): Promise<void> {
  await sql`DELETE FROM rates WHERE ends_at < now()`;
}
