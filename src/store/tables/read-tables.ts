import type { IdKeys } from "../id-keys.ts";
import type { PostgresDatabase } from "../postgres/connections/postgres-database.ts";
import { constant, type Fragment, run, sql } from "../postgres/sql/fragment.ts";
import { chooseTables } from "./choose-tables.ts";
import { nameSql } from "./column-sql.ts";
import type { Column, Family, Table } from "./table.ts";

/** A table as the catalogue of the database has it. */
interface TableRow {
  readonly schema: string;
  readonly table: string;
  /** `r` and `p` are tables, `f` a foreign one; others are views. */
  readonly kind: string;
  /** About how many rows it has; -1 if nobody has counted. */
  readonly estimate: number;
  readonly columns: readonly ColumnRow[] | null;
  readonly key: readonly string[] | null;
  readonly foreign: readonly ForeignKey[] | null;
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  /** `e` for an enumeration, `b` for a base type. */
  readonly sort: string;
  readonly isArray: boolean;
  readonly isGenerated: boolean;
  readonly preset: string | null;
}

interface ForeignKey {
  readonly column: string;
  readonly schema: string;
  readonly table: string;
  readonly to: string;
}

/** Larger tables are not counted: their number of records is the estimate of the database. */
const MAX_COUNTED = 100_000;

const FAMILIES: Readonly<Record<string, Family>> = {
  int2: "integer",
  int4: "integer",
  int8: "integer",
  oid: "integer",
  numeric: "numeric",
  float4: "float4",
  float8: "float",
  bool: "boolean",
  text: "text",
  varchar: "text",
  bpchar: "padded",
  uuid: "uuid",
  date: "moment",
  timestamp: "moment",
  timestamptz: "moment",
  bytea: "bytes",
  json: "nested",
  jsonb: "nested",
};

/** Reads which tables there are, and what PostgreSQL knows of them. Changes nothing. */
export async function readTables(database: PostgresDatabase, wanted: string, idKeys: IdKeys): Promise<Table[]> {
  const rows = await database.query((driver) => run<TableRow>(driver, sql`${CATALOGUE}`, false));
  const chosen = chooseTables(
    wanted,
    rows.filter(({ columns }) => columns),
  );
  const counts = await countAll(database, chosen);
  const named = new Map<TableRow, string>();
  for (const row of chosen) {
    const isTaken = [...named.values()].includes(row.table);
    named.set(row, isTaken ? `${row.schema}.${row.table}` : row.table);
  }
  const ranks = rankAll(chosen);
  return chosen.map((row) => {
    const name = named.get(row) ?? row.table;
    const nameOf = (other: TableRow): string | undefined => named.get(other);
    const idKey = idKeyOf(row, idKeys.of(name));
    return {
      name,
      schema: row.schema,
      sqlName: tableSql(row),
      ...columnsOf(row),
      idKey,
      readOnlyBecause: reasonOf(row),
      count: counts.get(row) ?? Math.max(0, row.estimate),
      rank: ranks.get(row) ?? 0,
      references: referencesOf(row, chosen, nameOf),
    };
  });
}

function tableSql({ schema, table }: TableRow): Fragment {
  return sql`${nameSql(schema)}.${nameSql(table)}`;
}

function columnsOf({ columns: rows, key }: TableRow): Pick<Table, "columns" | "order"> {
  const columns = new Map((rows ?? []).map((row) => [row.name, columnOf(row)]));
  const ordered = key ? key.flatMap((name) => columns.get(name) ?? []) : [...columns.values()];
  return { columns, order: ordered.filter(({ family }) => family !== "nested") };
}

function columnOf({ name, type, sort, isArray, isGenerated, preset }: ColumnRow): Column {
  const isComposite = sort === "c";
  const family = isArray || isComposite ? "nested" : sort === "e" ? "enum" : (FAMILIES[type] ?? "other");
  return { name, type, family, isGenerated, preset: preset ?? undefined };
}

/** The primary key; without one of a single column, the usual field, if there is such a column. */
function idKeyOf({ key }: TableRow, usual: string): string {
  return key?.length === 1 ? (key[0] ?? usual) : usual;
}

function reasonOf({ kind, key }: TableRow): string | undefined {
  if (!["r", "p", "f"].includes(kind)) return "it is a view";
  if (!key) return "it has no primary key";
  return key.length > 1 ? `its primary key has ${key.length} columns: ${key.join(", ")}` : undefined;
}

/** Only keys of one column that refer to a primary key, which is the id of the records there. */
function referencesOf(
  { foreign }: TableRow,
  chosen: readonly TableRow[],
  nameOf: (row: TableRow) => string | undefined,
): Map<string, string> {
  const references = new Map<string, string>();
  for (const { column, schema, table, to } of foreign ?? []) {
    const target = chosen.find((one) => one.schema === schema && one.table === table);
    const name = target?.key?.length === 1 && target.key[0] === to ? nameOf(target) : undefined;
    if (name !== undefined) references.set(column, name);
  }
  return references;
}

/** Parents get a lower rank than the tables that refer to them. Tables in a circle keep their order. */
function rankAll(rows: readonly TableRow[]): Map<TableRow, number> {
  const ranks = new Map<TableRow, number>();
  const visit = (row: TableRow, trail: readonly TableRow[]): void => {
    if (ranks.has(row) || trail.includes(row)) return;
    for (const { schema, table } of row.foreign ?? []) {
      const parent = rows.find((one) => one.schema === schema && one.table === table);
      if (parent) visit(parent, [...trail, row]);
    }
    ranks.set(row, ranks.size);
  };
  for (const row of rows) visit(row, []);
  return ranks;
}

/** A view that fails, or takes too long, counts as empty: it must not keep the others from being served. */
async function countAll(database: PostgresDatabase, rows: readonly TableRow[]): Promise<Map<TableRow, number>> {
  const counted = rows.filter(({ estimate }) => estimate <= MAX_COUNTED);
  const counts = counted.map(async (row): Promise<[TableRow, number]> => {
    const count = sql`SELECT count(*) AS count FROM ${tableSql(row)}`;
    const found = database.query((driver) => run<{ count: string }>(driver, count, false));
    const [first] = row.kind === "v" ? await found.catch(() => []) : await found;
    return [row, Number(first?.count ?? 0)];
  });
  return new Map(await Promise.all(counts));
}

/** The tables and views that this user may read, with their columns, keys and references. */
const CATALOGUE = constant(`
  SELECT n.nspname AS schema, c.relname AS table, c.relkind::text AS kind, c.reltuples AS estimate,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', b.typname, 'sort', b.typtype,
        'isArray', b.typcategory = 'A', 'isGenerated', a.attgenerated <> '',
        'preset', CASE WHEN a.attgenerated <> '' THEN NULL
          WHEN a.attidentity <> '' THEN format('nextval(%L::regclass)',
            pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
          ELSE coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) END) ORDER BY a.attnum)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND has_column_privilege(c.oid, a.attnum, 'SELECT')) AS columns,
    (SELECT json_agg(a.attname ORDER BY k.place) FROM pg_constraint p,
        unnest(p.conkey) WITH ORDINALITY AS k(number, place), pg_attribute a
      WHERE p.conrelid = c.oid AND p.contype = 'p' AND a.attrelid = c.oid AND a.attnum = k.number) AS key,
    (SELECT json_agg(json_build_object('column', a.attname, 'schema', tn.nspname, 'table', tc.relname, 'to', ta.attname)
        ORDER BY f.conname)
      FROM pg_constraint f JOIN pg_class tc ON tc.oid = f.confrelid JOIN pg_namespace tn ON tn.oid = tc.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = f.conkey[1]
      JOIN pg_attribute ta ON ta.attrelid = tc.oid AND ta.attnum = f.confkey[1]
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND cardinality(f.conkey) = 1) AS foreign
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname NOT LIKE 'pg\\_temp%'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
  ORDER BY n.nspname, c.relname`);
