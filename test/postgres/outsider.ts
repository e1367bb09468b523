import postgres from "postgres";
import { expect, onTestFinished } from "vitest";
import { limit } from "../support/limits.ts";

/** A connection of its own to the tables of a store, as another process has it. */
export async function outsider(url: string, schema: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: schema } });
  onTestFinished(() => sql.end());
  // The other side of a deadlock is to notice it.
  await sql`SET deadlock_timeout = '1h'`;
  const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const watcher = postgres(url, { max: 1 });
  onTestFinished(() => watcher.end());
  const tableOf = async (name: string): Promise<string> => {
    const [row] = await watcher`SELECT number FROM ${watcher(schema)}.members WHERE name = ${name}`;
    return `records_${row!.number}`;
  };
  /** Resolves when somebody waits for the transaction of this connection. */
  const isWaitedFor = () =>
    expect
      .poll(
        async () => (await watcher`SELECT FROM pg_stat_activity WHERE ${pid} = ANY(pg_blocking_pids(pid))`).length,
        {
          timeout: limit(20_000),
        },
      )
      .toBeGreaterThan(0);
  return { sql, tableOf, isWaitedFor };
}
