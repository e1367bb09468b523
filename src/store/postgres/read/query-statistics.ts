import type { Statistics } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";

/** Lets the database compute the statistics. Fields are in the order of their first occurrence. */
export async function queryStatistics(sql: Sql, member: KnownMember): Promise<Statistics> {
  const table = sql(member.table);
  const rows = await sql`SELECT f.key, min(f.value::float8) AS min, max(f.value::float8) AS max,
      sum(f.value::float8 ORDER BY r.slot) / count(*) AS mean, min(r.slot) AS first
    FROM ${table} r, jsonb_each(CASE jsonb_typeof(r.doc) WHEN 'object' THEN r.doc ELSE '{}' END) f
    WHERE jsonb_typeof(f.value) = 'number' GROUP BY f.key`;
  const [counted] = await sql`SELECT count(*) AS count FROM ${table}`;
  const slots = [...new Set(rows.map((row) => row.first as string))];
  const firsts = await sql`SELECT slot, body FROM ${table} WHERE slot = ANY(${slots}::bigint[])`;
  const keys = new Map(
    firsts.map((row) => [row.slot as string, Object.keys(JSON.parse(row.body as string) as object)]),
  );
  const ordered = rows
    .map((row) => ({ ...row, name: decodeText(row.key as string), slot: row.first as string }))
    .map((row) => ({ ...row, place: keys.get(row.slot)?.indexOf(row.name) ?? 0 }))
    .sort((a, b) => Number(a.slot) - Number(b.slot) || a.place - b.place);
  const fields: Statistics["fields"] = {};
  for (const { name, ...row } of ordered) {
    const { min, max, mean } = row as unknown as { min: number; max: number; mean: number };
    Object.defineProperty(fields, name, { value: { min, max, mean }, enumerable: true });
  }
  return { count: Number(counted!.count), fields };
}
