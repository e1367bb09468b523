import { parsePath } from "../../../query/path.ts";
import { quoted, type Sql } from "../connections/connection.ts";
import { isRetryable } from "../connections/connection-errors.ts";
import { isField, tableName } from "./catalogue.ts";
import { encodeText } from "./coded-text.ts";

/** Creates an empty table of records; create its indexes once it is filled. Returns the sort columns by path. */
export async function createTable(sql: Sql, number: number, paths: readonly string[]): Promise<Map<string, string>> {
  const columns = paths.map((path, position) => ({ path, name: `order_${position + 1}` }));
  await sql.unsafe(`CREATE TABLE ${tableName(number)} (
    slot bigint NOT NULL,
    version bigint NOT NULL,
    plain boolean NOT NULL,
    body text NOT NULL,
    doc jsonb NOT NULL,
    search text NOT NULL
    ${columns.map(({ path, name }) => `, ${sortColumnSql(path, name)}`).join("")})`);
  const names = columns.map(({ name }) => name);
  await sql`INSERT INTO orders SELECT ${number}, o.path, o.name FROM unnest(${[...paths]}::text[], ${names}::text[]) AS o(path, name)`;
  return new Map(columns.map(({ path, name }) => [path, name]));
}

/** Attempts at locking tables that readers hold in another order. */
const MAX_LOCK_TRIES = 20;

/**
 * Locks tables against everybody. Readers of several tables lock them in an order of their own, so this may end in a
 * deadlock: then it lets go of them and tries again, and keeps what the transaction has done so far.
 */
export async function lockTables(sql: Sql, tables: readonly string[]): Promise<void> {
  await sql`SAVEPOINT locking`;
  for (let tries = 1; ; tries++) {
    try {
      await sql.unsafe(`LOCK TABLE ${tables.join(", ")} IN ACCESS EXCLUSIVE MODE`);
      return;
    } catch (thrown) {
      if (!isRetryable(thrown) || tries === MAX_LOCK_TRIES) throw thrown;
      await sql`ROLLBACK TO SAVEPOINT locking`;
    }
  }
}

export interface IndexRequest {
  /** The number of the table. */
  readonly number: number;
  readonly sortColumns: ReadonlyMap<string, string>;
  readonly hasTrigrams: boolean;
  /** Gathers the statistics of its records, too. */
  readonly isFilled: boolean;
}

/** Creates all indexes of a table: by slot, by containment, by trigrams where available, and the declared ones. */
export async function createIndexes(sql: Sql, request: IndexRequest): Promise<void> {
  const { number, sortColumns, hasTrigrams, isFilled } = request;
  const table = tableName(number);
  // In one message: a round trip for each would take longer than most of them.
  const statements = [
    `ALTER TABLE ${table} ADD PRIMARY KEY (slot)`,
    `CREATE INDEX ON ${table} USING gin (doc jsonb_path_ops)`,
    `CREATE INDEX ON ${table} (slot) WHERE NOT plain`,
    ...(hasTrigrams ? [`CREATE INDEX ON ${table} USING gin (search public.gin_trgm_ops)`] : []),
    ...[...sortColumns.values()].map((name) => `CREATE INDEX ON ${table} (${name}, slot)`),
    ...(isFilled ? [`ANALYZE ${table}`] : []),
  ];
  await sql.unsafe(statements.join("; "));
}

export interface SortColumnRequest {
  /** The number of the table. */
  readonly number: number;
  readonly present: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
}

/** Adds the columns and indexes that are declared but missing. Rewrites the table, so only a start does it. */
export async function addSortColumns(sql: Sql, { number, present, paths }: SortColumnRequest): Promise<void> {
  const missing = paths.filter((path) => !present.has(path));
  const used = Math.max(0, ...[...present.values()].map((name) => Number(name.replace("order_", ""))));
  for (const [position, path] of missing.entries()) {
    const name = `order_${used + position + 1}`;
    await sql.unsafe(`ALTER TABLE ${tableName(number)} ADD COLUMN ${sortColumnSql(path, name)}`);
    await sql.unsafe(`CREATE INDEX ON ${tableName(number)} (${name}, slot)`);
    await sql`INSERT INTO orders VALUES (${number}, ${path}, ${name})`;
  }
  if (missing.length > 0) await sql`UPDATE members SET edition = edition + 1 WHERE number = ${number}`;
}

function sortColumnSql(path: string, name: string): string {
  return `${quoted(name)} text COLLATE "C" GENERATED ALWAYS AS (sort_key(${valueExpression(path)})) STORED`;
}

/** The value at a path, as a literal expression for a column definition. The path comes from the configuration. */
function valueExpression(text: string): string {
  const path = parsePath(text);
  if (isField(path)) return `doc -> ${literal(encodeText(text))}`;
  const segments = path.segments.map((segment) => literal(encodeText(segment))).join(", ");
  return `value_at(doc, ${literal(encodeText(text))}, ARRAY[${segments}])`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
