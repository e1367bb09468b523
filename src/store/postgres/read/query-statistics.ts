import type { Statistics } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { only } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";

interface FieldRow {
  readonly key: string;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** The slot of the first record with a number in this field. */
  readonly first: string;
}

/** Lets the database compute the statistics. Fields are in the order of their first occurrence. */
export async function queryStatistics(sql: Sql, member: KnownMember): Promise<Statistics> {
  const table = sql(member.table);
  const rows = await sql<FieldRow[]>`SELECT f.key, min(f.value::float8) AS min, max(f.value::float8) AS max,
      sum(f.value::float8 ORDER BY r.slot) / count(*) AS mean, min(r.slot) AS first
    FROM ${table} r, jsonb_each(CASE jsonb_typeof(r.doc) WHEN 'object' THEN r.doc ELSE '{}' END) f
    WHERE jsonb_typeof(f.value) = 'number' GROUP BY f.key`;
  const { count } = only(await sql<{ count: string }[]>`SELECT count(*) AS count FROM ${table}`);
  const slots = [...new Set(rows.map(({ first }) => first))];
  const firsts = await sql<{ slot: string; body: string }[]>`SELECT slot, body FROM ${table}
    WHERE slot = ANY(${slots}::bigint[])`;
  const keys = new Map(firsts.map(({ slot, body }) => [slot, Object.keys(JSON.parse(body) as object)]));
  const ordered = rows
    .map((row) => ({ ...row, name: decodeText(row.key) }))
    .map((row) => ({ ...row, place: keys.get(row.first)?.indexOf(row.name) ?? 0 }))
    .sort((a, b) => Number(a.first) - Number(b.first) || a.place - b.place);
  const fields: Statistics["fields"] = {};
  for (const { name, min, max, mean } of ordered) {
    Object.defineProperty(fields, name, { value: { min, max, mean }, enumerable: true });
  }
  return { count: Number(count), fields };
}
