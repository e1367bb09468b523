import { parsePath } from "../../../query/path.ts";
import { quoted, type Sql } from "../connections/connection.ts";
import { isField, tableName } from "./catalogue.ts";
import { encodeText } from "./coded-text.ts";

/** A table of records, empty and without indexes: these are made once the records are in. */
export async function createTable(sql: Sql, number: number, paths: readonly string[]): Promise<Map<string, string>> {
  const columns = paths.map((path, position) => ({ path, name: `order_${position + 1}` }));
  await sql.unsafe(`CREATE TABLE ${tableName(number)} (
    slot bigint NOT NULL,
    version bigint NOT NULL,
    plain boolean NOT NULL,
    body text NOT NULL,
    doc jsonb NOT NULL,
    search text NOT NULL
    ${columns.map(({ path, name }) => `, ${orderColumn(path, name)}`).join("")})`);
  for (const { path, name } of columns) await sql`INSERT INTO orders VALUES (${number}, ${path}, ${name})`;
  return new Map(columns.map(({ path, name }) => [path, name]));
}

/** Every index of a table. Record by number and by containment; text where the database can; the declared ones. */
export async function createIndexes(
  sql: Sql,
  number: number,
  orders: ReadonlyMap<string, string>,
  trigrams: boolean,
): Promise<void> {
  const table = tableName(number);
  await sql.unsafe(`ALTER TABLE ${table} ADD PRIMARY KEY (slot)`);
  await sql.unsafe(`CREATE INDEX ON ${table} USING gin (doc jsonb_path_ops)`);
  await sql.unsafe(`CREATE INDEX ON ${table} (slot) WHERE NOT plain`);
  if (trigrams) await sql.unsafe(`CREATE INDEX ON ${table} USING gin (search public.gin_trgm_ops)`);
  for (const name of orders.values()) await sql.unsafe(`CREATE INDEX ON ${table} (${name}, slot)`);
}

/** Adds the columns and indexes that are declared but missing. Rewrites the table, so it is done at a start. */
export async function addOrders(
  sql: Sql,
  number: number,
  present: ReadonlyMap<string, string>,
  paths: readonly string[],
) {
  const missing = paths.filter((path) => !present.has(path));
  const used = Math.max(0, ...[...present.values()].map((name) => Number(name.replace("order_", ""))));
  for (const [position, path] of missing.entries()) {
    const name = `order_${used + position + 1}`;
    await sql.unsafe(`ALTER TABLE ${tableName(number)} ADD COLUMN ${orderColumn(path, name)}`);
    await sql.unsafe(`CREATE INDEX ON ${tableName(number)} (${name}, slot)`);
    await sql`INSERT INTO orders VALUES (${number}, ${path}, ${name})`;
  }
  if (missing.length > 0) await sql`UPDATE members SET edition = edition + 1 WHERE number = ${number}`;
  return missing.length > 0;
}

function orderColumn(path: string, name: string): string {
  return `${quoted(name)} text COLLATE "C" GENERATED ALWAYS AS (sort_key(${valueExpression(path)})) STORED`;
}

/** The value a path leads to, for a definition that lasts: the path is a constant of it, taken from the configuration. */
function valueExpression(text: string): string {
  const path = parsePath(text);
  if (isField(path)) return `doc -> ${literal(encodeText(text))}`;
  const segments = path.segments.map((segment) => literal(encodeText(segment))).join(", ");
  return `value_at(doc, ${literal(encodeText(text))}, ARRAY[${segments}])`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
