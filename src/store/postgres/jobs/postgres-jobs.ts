import type { ClockSetting } from "../../../base/clock.ts";
import { randomId } from "../../ids.ts";
import type {
  LaneLease,
  LeasedJob,
  SharedJob,
  SharedJobs,
  SharedSettings,
  UnhookedChange,
  WantedJob,
} from "../../shared-jobs.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { constant, type Fragment, only, run, sql } from "../sql/fragment.ts";
import { tellSql } from "../write/changes.ts";

/** Of the jobs that have ended, the latest are kept. */
const MAX_ENDED = 500;
const LEASED = constant("now() + interval '30 seconds'");
const IS_FREE = constant("(l.leased_until IS NULL OR l.leased_until < now())");
/** The row of `meta` with the hooks that were added or changed over HTTP. */
const HOOKS = "hooks";

interface JobsParts {
  readonly database: PostgresDatabase;
  readonly channel: string;
  /** Lets changes wait for their jobs. */
  hook(onChange: () => void): void;
}

/** The tables `unhooked`, `jobs`, `lanes` and `clock`. No transaction is open while a job runs. */
export class PostgresJobs implements SharedJobs {
  readonly #parts: JobsParts;
  readonly #listeners: (() => void)[] = [];

  constructor(parts: JobsParts) {
    this.#parts = parts;
  }

  begin(onChange: () => void): void {
    this.#parts.hook(onChange);
  }

  watch(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells listeners that another process may have changed the settings. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async unhooked(): Promise<UnhookedChange[]> {
    const rows = await this.#run<{ version: string; depth: number }>(
      sql`SELECT version, depth FROM unhooked ORDER BY version LIMIT 1000`,
    );
    return rows.map(({ version, depth }) => ({ version: Number(version), depth }));
  }

  async add(version: number, jobs: readonly SharedJob[]): Promise<void> {
    // Whoever removes the change from those without jobs adds them.
    await this.#run(sql`WITH mine AS (DELETE FROM unhooked WHERE version = ${version} RETURNING version),
      made AS (SELECT j.* FROM mine, unnest(${jobs.map(({ id }) => id)}::text[], ${jobs.map(({ lane }) => lane)}::text[],
        ${jobs.map(({ dueAt }) => String(dueAt))}::text[], ${jobs.map(({ content }) => content)}::text[])
        WITH ORDINALITY AS j(id, lane, due_at, content, place)),
      laned AS (INSERT INTO lanes (lane) SELECT DISTINCT lane FROM made ON CONFLICT DO NOTHING)
      INSERT INTO jobs (id, lane, due_at, content)
      SELECT id, lane, due_at::bigint, content FROM made ORDER BY place ON CONFLICT DO NOTHING`);
  }

  async take({ now, mover = "", id }: WantedJob): Promise<LeasedJob | undefined> {
    const isWanted = id === undefined ? sql`is_open AND due_at <= ${now}` : sql`is_open AND id = ${id}`;
    for (;;) {
      const holder = randomId();
      const [taken] = await this.#run<{ lane: string }>(sql`WITH chosen AS (
          SELECT l.lane FROM jobs AS j JOIN lanes AS l ON l.lane = j.lane, clock AS c
          WHERE ${isWanted} AND ${IS_FREE}
            AND (c.mover IS NULL OR c.mover = ${mover} OR c.moved_until < now())
          ORDER BY j.due_at, j.number LIMIT 1 FOR UPDATE OF l SKIP LOCKED FOR SHARE OF c)
        UPDATE lanes SET holder = ${holder}, leased_until = ${LEASED} FROM chosen
        WHERE lanes.lane = chosen.lane RETURNING lanes.lane`);
      if (!taken) return undefined;
      const lease = { lane: taken.lane, holder };
      // A statement of its own: the first one may have seen a job that has ended meanwhile.
      const [job] = await this.#run<{ content: string }>(sql`SELECT content FROM jobs
        WHERE lane = ${lease.lane} AND ${isWanted} ORDER BY due_at, number LIMIT 1`);
      if (job) return { content: job.content, lease };
      await this.#run(
        sql`UPDATE lanes SET leased_until = NULL WHERE lane = ${lease.lane} AND holder = ${lease.holder}`,
      );
    }
  }

  async renew({ lane, holder }: LaneLease): Promise<void> {
    await this.#run(sql`UPDATE lanes SET leased_until = ${LEASED} WHERE lane = ${lane} AND holder = ${holder}`);
  }

  async save(job: SharedJob, { lane, holder }: LaneLease, isLast: boolean): Promise<boolean> {
    const saved = await this.#run(sql`WITH held AS (UPDATE lanes
        SET leased_until = ${isLast ? constant("NULL") : LEASED} WHERE lane = ${lane} AND holder = ${holder} RETURNING lane)
      UPDATE jobs SET ${stateSql(job)} FROM held WHERE id = ${job.id} RETURNING id`);
    return saved.length > 0;
  }

  async reopen(job: SharedJob): Promise<boolean> {
    const saved = await this.#run(sql`UPDATE jobs SET ${stateSql(job)} FROM lanes AS l
      WHERE id = ${job.id} AND l.lane = jobs.lane AND (NOT is_open OR ${IS_FREE}) RETURNING id`);
    return saved.length > 0;
  }

  async nextDue(): Promise<number | undefined> {
    const [next] = await this.#run<{
      due_at: string;
    }>(sql`SELECT due_at FROM jobs AS j JOIN lanes AS l ON l.lane = j.lane
      WHERE is_open AND ${IS_FREE} ORDER BY due_at, number LIMIT 1`);
    return next && Number(next.due_at);
  }

  async countDue(time: number): Promise<number> {
    const rows = await this.#run<{ count: string }>(sql`SELECT count(*) FROM jobs WHERE is_open AND due_at <= ${time}`);
    return Number(only(rows).count);
  }

  async held(): Promise<{ waiting: number; waitingLength: number }> {
    const rows = await this.#run<{ count: string; length: string }>(
      sql`SELECT count(*), coalesce(sum(octet_length(content)), 0) AS length FROM jobs WHERE is_open`,
    );
    const { count, length } = only(rows);
    return { waiting: Number(count), waitingLength: Number(length) };
  }

  async isIdle(): Promise<boolean> {
    const rows = await this.#run<{ yes: boolean }>(
      sql`SELECT NOT EXISTS (SELECT FROM lanes WHERE leased_until >= now()) AS yes`,
    );
    return only(rows).yes;
  }

  async list(): Promise<string[]> {
    const rows = await this.#run<{ content: string }>(sql`SELECT content FROM (
        (SELECT content, is_open, due_at, number FROM jobs WHERE NOT is_open ORDER BY number DESC LIMIT ${MAX_ENDED})
        UNION ALL SELECT content, is_open, due_at, number FROM jobs WHERE is_open) AS known
      ORDER BY is_open, CASE WHEN is_open THEN due_at END, number`);
    return rows.map(({ content }) => content);
  }

  async settings(): Promise<SharedSettings> {
    const rows = await this.#run<{ setting: string | null; hooks: string | null }>(
      sql`SELECT setting, (SELECT value FROM meta WHERE key = ${HOOKS}) AS hooks FROM clock`,
    );
    const { setting, hooks } = only(rows);
    return { clock: setting === null ? undefined : (JSON.parse(setting) as ClockSetting), hooks: hooks ?? undefined };
  }

  async saveClock(clock: ClockSetting | undefined): Promise<void> {
    const setting = clock ? JSON.stringify(clock) : null;
    await this.#run(sql`WITH saved AS (UPDATE clock SET setting = ${setting}) ${tellSql(this.#parts.channel)}`);
  }

  async saveHooks(hooks: string): Promise<void> {
    await this.#run(sql`WITH saved AS (INSERT INTO meta VALUES (${HOOKS}, ${hooks})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value) ${tellSql(this.#parts.channel)}`);
  }

  async beginMove(mover: string): Promise<boolean> {
    const begun = await this.#run(sql`UPDATE clock SET mover = ${mover}, moved_until = ${LEASED}
      WHERE mover IS NULL OR mover = ${mover} OR moved_until < now() RETURNING mover`);
    return begun.length > 0;
  }

  async endMove(mover: string): Promise<void> {
    await this.#run(sql`UPDATE clock SET mover = NULL WHERE mover = ${mover}`);
  }

  /** Removes jobs that ended long ago, and lanes without jobs. */
  async sweep(): Promise<void> {
    await this.#run(sql`DELETE FROM jobs WHERE NOT is_open AND number <=
      (SELECT number FROM jobs WHERE NOT is_open ORDER BY number DESC OFFSET ${MAX_ENDED} LIMIT 1)`);
    await this.#parts.database.change(async (database) => {
      // No job of a lane may come while that goes.
      await database`LOCK TABLE lanes IN EXCLUSIVE MODE`;
      await database`DELETE FROM lanes AS l WHERE NOT EXISTS (SELECT FROM jobs AS j WHERE j.lane = l.lane)`;
    });
  }

  #run<Row extends object>(statement: Fragment): Promise<Row[]> {
    return this.#parts.database.query((database) => run<Row>(database, statement));
  }
}

function stateSql({ dueAt, isOpen, isBegun, content }: SharedJob): Fragment {
  return sql`due_at = ${dueAt}, is_open = ${isOpen}, is_begun = ${isBegun}, content = ${content}`;
}
