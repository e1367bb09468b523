import type { Json } from "../../../json.ts";
import { idOf } from "../../ids.ts";
import type { Write } from "../../store.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { Sql } from "../connections/connection.ts";
import { recordOf, rowsSql } from "../read/select.ts";
import { textIsSql } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import { KIND, kept, keysOfTexts } from "../sql/sort-key.ts";
import type { Catalogue, KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import type { Draft, IdFacts } from "./planned-database.ts";

/** What a batch of writes needs of a collection. */
export interface Content {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly facts: IdFacts | undefined;
}

export async function fetchContent(
  database: Sql,
  idKey: string,
  member: KnownMember,
  ids: readonly string[],
  isCreating: boolean,
): Promise<Content> {
  if (member.kind !== "collection") return { records: new Map(), facts: undefined };
  const [records, facts] = await Promise.all([
    fetchRecords(database, idKey, member, ids),
    isCreating ? fetchIdFacts(database, idKey, member) : undefined,
  ]);
  return { records, facts };
}

/** The first record of each id, by the text of the id. */
export async function fetchRecords(
  database: Sql,
  idKey: string,
  member: KnownMember,
  ids: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  if (ids.length === 0) return found;
  const isOne = idIsSql(member, idKey, ids);
  const rows = await run(database, sql`SELECT slot, version, body FROM ${name(member.table)} WHERE ${isOne}`);
  for (const record of rows.map(recordOf).sort((a, b) => a.slot - b.slot)) {
    const id = String(idOf(record.value, idKey));
    if (!found.has(id)) found.set(id, record);
  }
  return found;
}

function idIsSql({ orders }: KnownMember, idKey: string, ids: readonly string[]): Fragment {
  const keys = keysOfTexts(ids).filter((key) => !key.startsWith(KIND.boolean));
  const column = name(orders.get(idKey)!);
  // One or two keys, as a rule: a text and perhaps a number.
  const [first, second = first] = keys;
  if (keys.length > 2) return sql`${column} = ANY(${keys.map(kept)}::text[])`;
  return sql`${column} IN (${kept(first!)}, ${kept(second!)})`;
}

/** One record as a page, with facts beside it. */
export function recordSql(member: KnownMember, idKey: string, id: string, facts: Fragment): Fragment {
  const source = sql`FROM ${name(member.table)} WHERE ${idIsSql(member, idKey, [id])}`;
  return sql`SELECT ${facts}, NULL::bigint AS total, r.* FROM (SELECT version, edition, count FROM members
    WHERE number = ${member.number}) AS m ${rowsSql(source, sql`slot`, "page")}`;
}

export async function fetchIdFacts(database: Sql, idKey: string, { table, orders }: KnownMember): Promise<IdFacts> {
  const key = name(orders.get(idKey)!);
  const id = sql`(doc -> ${encodeText(idKey)}::text)`;
  const [row] = await run(
    database,
    sql`SELECT
    EXISTS (SELECT FROM ${name(table)} WHERE ${key} >= ${KIND.number} AND ${key} < ${KIND.string}) AS numbers,
    EXISTS (SELECT FROM ${name(table)} WHERE ${key} > ${KIND.string} AND ${key} < ${KIND.boolean}) AS texts,
    (SELECT ${id}::float8 FROM ${name(table)} WHERE ${key} >= ${KIND.number} AND ${key} < ${KIND.string}
      AND trunc(${id}::numeric) = ${id}::numeric ORDER BY ${key} DESC LIMIT 1) AS largest`,
  );
  const { numbers, texts, largest } = row as { numbers: boolean; texts: boolean; largest: number | null };
  return { hasNumbers: numbers, hasTexts: texts, largest: largest ?? undefined };
}

/** Children that go with a removed record: every record whose key has the text of the id. */
export async function fetchDependents(
  database: Sql,
  catalogue: Catalogue,
  writes: readonly Write[],
  draft: Draft,
): Promise<void> {
  for (const write of writes) {
    if (write.kind !== "remove") continue;
    for (const { collection, key } of write.dependents) {
      const member = catalogue.get(collection)!;
      const rows = await run(
        database,
        sql`SELECT slot, version, body FROM ${name(member.table)}
        WHERE ${textIsSql(member, key, [write.id])} ORDER BY slot`,
      );
      draft.collection(collection)!.records.push(...rows.map(recordOf));
    }
  }
}

export function singletonOf(row: Record<string, unknown>): StoredRecord {
  const body = row.body as string;
  return new StoredRecord(JSON.parse(body) as Json, Number(row.version), 0, body);
}
