import type { Sql } from "../connections/connection.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";

/** The most duplicate ids to name. */
const MAX_NAMED = 5;

export interface IdCheck {
  readonly table: string;
  readonly idKey: string;
  readonly warn: (text: string) => void;
}

/** Warns of the records in a table that cannot be addressed, as the file store does when it loads them. */
export async function warnOfIds(sql: Sql, { table, idKey, warn }: IdCheck): Promise<void> {
  const id = sql`(doc -> ${encodeText(idKey)}::text)`;
  const isUsable = sql`coalesce(jsonb_typeof(${id}) IN ('number', 'string'), false)`;
  const doubled =
    await sql`SELECT ${id} #>> '{}' AS id, count(*) OVER ()::int AS ids FROM ${sql(table)} WHERE ${isUsable}
    GROUP BY 1 HAVING count(*) > 1 ORDER BY min(slot) LIMIT ${MAX_NAMED}`;
  for (const row of doubled) {
    const text = JSON.stringify(decodeText(row.id as string));
    warn(`the ${idKey} ${text} occurs more than once; only the first is addressable.`);
  }
  const more = Number(doubled[0]?.ids ?? 0) - doubled.length;
  if (more > 0) warn(`${more} other ids do, too.`);
  const [row] = await sql`SELECT count(*)::int AS count FROM ${sql(table)} WHERE NOT ${isUsable}`;
  const count = row!.count as number;
  if (count > 0) warn(`${count} without a usable "${idKey}": listed, but not addressable.`);
}
