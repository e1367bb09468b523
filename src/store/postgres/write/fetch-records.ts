import { idOf } from "../../ids.ts";
import type { SingleWrite } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";
import type { Sql } from "../connections/connection.ts";
import { rowsSql } from "../read/select-sql.ts";
import { textIsSql } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import { KIND, keysOfTexts, truncateKey, withNearest } from "../sql/sort-key.ts";
import type { Catalogue, KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { recordFromRow } from "../tables/row.ts";
import type { IdFacts, PlannedDatabase } from "./planned-database.ts";

/** The part of a collection that a batch of writes needs. */
export interface FetchedContent {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly facts: IdFacts | undefined;
}

export interface RecordRequest {
  readonly member: KnownMember;
  readonly ids: readonly string[];
}

export async function fetchContent(
  database: Sql,
  request: RecordRequest & { readonly isCreating: boolean },
): Promise<FetchedContent> {
  const { member, isCreating } = request;
  if (member.kind !== "collection") return { records: new Map(), facts: undefined };
  const [records, facts] = await Promise.all([
    fetchRecords(database, request),
    isCreating ? fetchIdFacts(database, member) : undefined,
  ]);
  return { records, facts };
}

/** The first record of each id, by the text of the id. */
export async function fetchRecords(database: Sql, { member, ids }: RecordRequest): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  if (ids.length === 0) return found;
  const isOne = idIsSql(member, ids);
  const rows = await run(database, sql`SELECT slot, version, body FROM ${name(member.table)} WHERE ${isOne}`);
  for (const record of rows.map(recordFromRow).sort((a, b) => a.slot - b.slot)) {
    const id = String(idOf(record.value, member.idKey));
    if (!found.has(id)) found.set(id, record);
  }
  return found;
}

function idIsSql({ idKey, sortColumns }: KnownMember, ids: readonly string[]): Fragment {
  const keys = keysOfTexts(withNearest(ids)).filter((key) => !key.startsWith(KIND.boolean));
  const column = name(sortColumns.get(idKey)!);
  // Usually one or two keys: a text and perhaps a number.
  const [first, second = first] = keys;
  if (keys.length > 2) return sql`${column} = ANY(${keys.map(truncateKey)}::text[])`;
  return sql`${column} IN (${truncateKey(first!)}, ${truncateKey(second!)})`;
}

export interface RecordPage {
  readonly member: KnownMember;
  readonly id: string;
  /** Columns to add to the row. */
  readonly facts: Fragment;
}

/** One record as a page, to which related records can be added. */
export function recordSql({ member, id, facts }: RecordPage): Fragment {
  const source = sql`FROM ${name(member.table)} WHERE ${idIsSql(member, [id])}`;
  return sql`SELECT ${facts}, NULL::bigint AS total, r.* FROM (SELECT version, edition, count FROM members
    WHERE number = ${member.number}) AS m ${rowsSql(source, sql`slot`, "page")}`;
}

export async function fetchIdFacts(database: Sql, { idKey, table, sortColumns }: KnownMember): Promise<IdFacts> {
  const key = name(sortColumns.get(idKey)!);
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

export interface DependentsRequest {
  readonly catalogue: Catalogue;
  readonly writes: readonly SingleWrite[];
  /** Gets the records that are found. */
  readonly planned: PlannedDatabase;
}

/** Fetches the records that are removed together with the one they refer to. */
export async function fetchDependents(database: Sql, { catalogue, writes, planned }: DependentsRequest): Promise<void> {
  for (const write of writes) {
    if (write.kind !== "remove") continue;
    for (const { collection, key } of write.dependents) {
      const member = catalogue.get(collection)!;
      const rows = await run(
        database,
        sql`SELECT slot, version, body FROM ${name(member.table)}
        WHERE ${textIsSql(member, key, [write.id])} ORDER BY slot`,
      );
      planned.collection(collection)!.records.push(...rows.map(recordFromRow));
    }
  }
}
