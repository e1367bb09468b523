import type { Filter } from "../../../query/query.ts";
import type { Statistics } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { all } from "../sql/conditions.ts";
import { name as nameOf, only, run, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { conditionSql } from "./where-sql.ts";

interface FieldRow {
  readonly key: string;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** The slot of the first record with a number in this field. */
  readonly first: string;
}

/** Lets the database compute the statistics. Fields are in the order of their first occurrence. */
export async function queryStatistics(
  database: Sql,
  member: KnownMember,
  where?: readonly Filter[],
): Promise<Statistics> {
  const table = nameOf(member.table);
  const condition = all([sql`true`, ...(await conditionSql(database, member, where))]);
  const rows = await run<FieldRow>(
    database,
    sql`SELECT f.key, min(f.value::float8) AS min, max(f.value::float8) AS max,
      sum(f.value::float8 ORDER BY r.slot) / count(*) AS mean, min(r.slot) AS first
    FROM (SELECT slot, doc FROM ${table} WHERE ${condition}) r,
      jsonb_each(CASE jsonb_typeof(r.doc) WHEN 'object' THEN r.doc ELSE '{}' END) f
    WHERE jsonb_typeof(f.value) = 'number' GROUP BY f.key`,
    false,
  );
  const counts = await run<{ count: string }>(
    database,
    sql`SELECT count(*) AS count FROM ${table} WHERE ${condition}`,
    false,
  );
  const slots = [...new Set(rows.map(({ first }) => first))];
  const firsts = await run<{ slot: string; body: string }>(
    database,
    sql`SELECT slot, body FROM ${table} WHERE slot = ANY(${slots}::bigint[])`,
  );
  const keys = new Map(firsts.map(({ slot, body }) => [slot, Object.keys(JSON.parse(body) as object)]));
  const ordered = rows
    .map((row) => ({ ...row, name: decodeText(row.key) }))
    .map((row) => ({ ...row, place: keys.get(row.first)?.indexOf(row.name) ?? 0 }))
    .sort((a, b) => Number(a.first) - Number(b.first) || a.place - b.place);
  const fields: Statistics["fields"] = {};
  for (const { name, min, max, mean } of ordered) {
    Object.defineProperty(fields, name, { value: { min, max, mean }, enumerable: true });
  }
  return { count: Number(only(counts).count), fields };
}
