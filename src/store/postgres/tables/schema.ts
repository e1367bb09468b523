import { StartError } from "../../../base/errors.ts";
import { didYouMean } from "../../../base/nearest.ts";
import { randomId } from "../../ids.ts";
import { quoted, type Sql } from "../connections/connection.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { only } from "../sql/fragment.ts";
import { functionStatements } from "../sql/function-statements.ts";

/** Counts the changes to the tables and functions; a start refuses a database of a later version. */
const SCHEMA_VERSION = 6;

/**
 * meta: settings of all processes and secrets such as the issuer's keys. members: one row per top-level key of the database. A writer locks the row of its collection first; the row counts
 * records, versions and slots. `number` identifies the table of records, `edition` counts changes to the catalogue entry.
 * orders: the columns of sorted indexes. kept: snapshots and the baseline. rates: the counts of the rate limit. writes: one
 * row per transaction, which proves after a lost connection that it was committed. changes: changes too large for a notice.
 * receipts: responses to requests with an `Idempotency-Key`, `number` in the order in which they were stored. history: one
 * row per version of the data, for as long as it is kept; `edits` is null where its records are not known. unhooked: the versions
 * whose jobs are still to be made. jobs: webhooks and steps of the timeline, and the latest that have ended. lanes: who runs
 * the jobs of a hook and target. clock: one row with the time that all processes show, and who moves it. sandboxes: their heads
 * and steps. copies: the snapshots of the main data that sandboxes begin with.
 */
const TABLES = [
  "CREATE TABLE meta (key text PRIMARY KEY, value text NOT NULL)",
  "CREATE SEQUENCE numbers",
  `CREATE TABLE members (
    name text COLLATE "C" PRIMARY KEY,
    position int NOT NULL,
    kind text NOT NULL,
    number int NOT NULL,
    version bigint NOT NULL,
    edition bigint NOT NULL DEFAULT 1,
    count bigint NOT NULL DEFAULT 0,
    next_slot bigint NOT NULL DEFAULT 0,
    traits int NOT NULL DEFAULT 0,
    keys text NOT NULL DEFAULT '[]',
    body text)`,
  "CREATE TABLE orders (number int NOT NULL, path text NOT NULL, name text NOT NULL, PRIMARY KEY (number, path))",
  `CREATE TABLE kept (
    id text COLLATE "C" PRIMARY KEY,
    created_at timestamptz NOT NULL,
    bytes bigint NOT NULL,
    members text NOT NULL)`,
  "CREATE UNLOGGED TABLE rates (key text PRIMARY KEY, ends_at timestamptz NOT NULL, count bigint NOT NULL)",
  "CREATE TABLE writes (token text PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now())",
  "CREATE TABLE changes (id bigserial PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now(), body text NOT NULL)",
];

/** The statements that bring a database of an earlier version up to date, by the version that introduced them. */
const ADDED: ReadonlyMap<number, readonly string[]> = new Map([
  [
    3,
    [
      `CREATE TABLE receipts (
        key text COLLATE "C" PRIMARY KEY,
        number bigserial UNIQUE,
        request text NOT NULL,
        made_at bigint NOT NULL,
        response text NOT NULL)`,
    ],
  ],
  [
    4,
    [
      `CREATE TABLE history (
        version bigserial PRIMARY KEY,
        time bigint NOT NULL,
        origin text NOT NULL,
        cause text,
        kind text NOT NULL,
        counts text NOT NULL DEFAULT '{}',
        members text,
        touched text NOT NULL DEFAULT '',
        edits text,
        moves text NOT NULL DEFAULT '',
        shape text,
        bytes bigint NOT NULL DEFAULT 0)`,
    ],
  ],
  [
    5,
    [
      `CREATE TABLE unhooked (
        version bigint PRIMARY KEY,
        depth int NOT NULL DEFAULT 0,
        made_at timestamptz NOT NULL DEFAULT now())`,
      `CREATE TABLE jobs (
        id text COLLATE "C" PRIMARY KEY,
        number bigserial UNIQUE,
        lane text COLLATE "C" NOT NULL,
        due_at bigint NOT NULL,
        is_open boolean NOT NULL DEFAULT true,
        is_begun boolean NOT NULL DEFAULT false,
        content text NOT NULL)`,
      "CREATE INDEX jobs_due ON jobs (due_at, number) WHERE is_open",
      "CREATE INDEX jobs_of_lane ON jobs (lane, due_at, number)",
      'CREATE TABLE lanes (lane text COLLATE "C" PRIMARY KEY, holder text, leased_until timestamptz)',
      "CREATE TABLE clock (setting text, mover text, moved_until timestamptz)",
      "INSERT INTO clock DEFAULT VALUES",
    ],
  ],
  [
    6,
    [
      'CREATE TABLE sandboxes (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, used_at bigint NOT NULL)',
      "CREATE TABLE copies (number int PRIMARY KEY, stamp text NOT NULL, made_at timestamptz NOT NULL DEFAULT now())",
    ],
  ],
]);

/** Creates or updates the tables and functions. If several processes start at once, one does it and the others wait. */
export async function migrate(database: PostgresDatabase, schema: string): Promise<string> {
  return database.change(async (transaction) => {
    await lockSchema(transaction, schema);
    await transaction.unsafe(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
    const [present] = await transaction<{ meta: string | null }[]>`SELECT
      to_regclass(${`${quoted(schema)}.meta`}) AS meta`;
    const version = present?.meta === null ? 0 : await versionOf(transaction);
    if (version > SCHEMA_VERSION) {
      throw new StartError(
        `The schema ${schema} was made by a later version of standin (${version}; this one knows ${SCHEMA_VERSION}). ` +
          "Use that version, or another --schema.",
      );
    }
    if (version < SCHEMA_VERSION) {
      const added = [...ADDED].flatMap(([introduced, statements]) => (version < introduced ? statements : []));
      const statements = [...(version === 0 ? TABLES : []), ...added, ...functionStatements(quoted(schema))];
      // In one message: a round trip for each would take longer than the statements.
      await transaction.unsafe(statements.join(";\n"));
      await transaction`INSERT INTO meta VALUES ('version', ${String(SCHEMA_VERSION)})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
      await transaction`INSERT INTO meta VALUES ('epoch', ${randomId()}) ON CONFLICT DO NOTHING`;
    }
    return only(await transaction<{ value: string }[]>`SELECT value FROM meta WHERE key = 'epoch'`).value;
  });
}

/** Throws a `StartError` that names the schemas with data of standin, unless this is one of them. */
export async function expectSchema(database: PostgresDatabase, schema: string): Promise<void> {
  const rows = await database.query(
    (sql) => sql<{ nspname: string }[]>`SELECT nspname FROM pg_namespace
      WHERE to_regclass(quote_ident(nspname) || '.meta') IS NOT NULL
        AND to_regclass(quote_ident(nspname) || '.members') IS NOT NULL
      ORDER BY nspname LIMIT 1000`,
  );
  const known = rows.map(({ nspname }) => nspname);
  if (known.includes(schema)) return;
  const there = known.length === 0 ? "standin has none in this database" : `there is ${known.slice(0, 10).join(", ")}`;
  throw new StartError(`There is no schema ${schema} with data of standin; ${there}.${didYouMean(schema, known)}`);
}

/**
 * Locks the schema until the transaction ends: only one process at a time creates, alters or drops tables. The order of
 * locks is the same everywhere, so that none waits for another that waits for it: the schema, then rows of `members` by
 * name, or all of them, then tables of records.
 */
export async function lockSchema(sql: Sql, schema: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`standin ${schema}`}, 0))`;
}

async function versionOf(sql: Sql): Promise<number> {
  const [found] = await sql<{ value: string }[]>`SELECT value FROM meta WHERE key = 'version'`;
  return Number(found?.value ?? 0);
}

/** Creates the extension for trigram indexes if it is missing and that is permitted; returns whether it exists. */
export async function hasTrigrams(database: PostgresDatabase): Promise<boolean> {
  if (await isInstalled(database)) return true;
  try {
    await database.once((sql) => sql`CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public`);
  } catch {
    // Not available or not permitted, or another process was faster.
  }
  return isInstalled(database);
}

async function isInstalled(database: PostgresDatabase): Promise<boolean> {
  const [found] = await database.query((sql) => sql`SELECT 1 AS there FROM pg_extension WHERE extname = 'pg_trgm'`);
  return found !== undefined;
}
