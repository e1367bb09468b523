import type { Sql } from "./connection.ts";

/** Counts a request; a window that has ended begins anew with it. The clock is the database's, so all processes agree. */
export async function countRequest(sql: Sql, key: string, windowSeconds: number): Promise<number> {
  const end = sql`now() + make_interval(secs => ${windowSeconds})`;
  const [row] = await sql`INSERT INTO rates AS r VALUES (${key}, ${end}, 1) ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN r.ends_at > now() THEN r.count + 1 ELSE 1 END,
    ends_at = CASE WHEN r.ends_at > now() THEN r.ends_at ELSE excluded.ends_at END RETURNING count`;
  return Number(row!.count);
}

export async function forgetRates(sql: Sql): Promise<void> {
  await sql`DELETE FROM rates WHERE ends_at < now()`;
}
