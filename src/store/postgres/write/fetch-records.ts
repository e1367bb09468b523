import { idOf } from "../../ids.ts";
import type { StoredRecord } from "../../stored-record.ts";
import type { Statements } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import { rowsSql } from "../read/select-sql.ts";
import { type Fragment, name, only, run, sql } from "../sql/fragment.ts";
import { KIND, keysOfTexts, truncateKey } from "../sql/sort-key.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { type RecordRow, recordFromRow } from "../tables/row.ts";

/** The facts about a collection's ids that a new id depends on. */
export interface IdFacts {
  readonly hasNumbers: boolean;
  readonly hasTexts: boolean;
  readonly largest: number | undefined;
}

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
  database: Statements,
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
export async function fetchRecords(
  database: Statements,
  { member, ids }: RecordRequest,
): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  if (ids.length === 0) return found;
  const isOne = idIsSql(member, ids);
  const rows = await run<RecordRow>(
    database,
    sql`SELECT slot, version, body FROM ${name(member.table)} WHERE ${isOne}`,
  );
  for (const record of rows.map(recordFromRow).sort((a, b) => a.slot - b.slot)) {
    const id = String(idOf(record.value, member.idKey));
    if (!found.has(id)) found.set(id, record);
  }
  return found;
}

/** The column with the sort keys of ids, which every start creates where it is missing. */
function idColumn({ idKey, sortColumns }: KnownMember): Fragment {
  const column = sortColumns.get(idKey);
  if (column === undefined) throw new OutdatedCatalogue();
  return name(column);
}

function idIsSql(member: KnownMember, ids: readonly string[]): Fragment {
  const keys = keysOfTexts(ids).flatMap((key) => (key.startsWith(KIND.boolean) ? [] : truncateKey(key)));
  const column = idColumn(member);
  // Usually one or two keys: a text and perhaps a number.
  const [first, second = first] = keys;
  if (keys.length > 2) return sql`${column} = ANY(${keys}::text[])`;
  return sql`${column} IN (${first}, ${second})`;
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

export async function fetchIdFacts(database: Statements, member: KnownMember): Promise<IdFacts> {
  const { idKey, table } = member;
  const key = idColumn(member);
  const id = sql`(doc -> ${encodeText(idKey)}::text)`;
  const rows = await run<{ numbers: boolean; texts: boolean; largest: number | null }>(
    database,
    sql`SELECT
    EXISTS (SELECT FROM ${name(table)} WHERE ${key} >= ${KIND.number} AND ${key} < ${KIND.string}) AS numbers,
    EXISTS (SELECT FROM ${name(table)} WHERE ${key} > ${KIND.string} AND ${key} < ${KIND.boolean}) AS texts,
    (SELECT ${id}::float8 FROM ${name(table)} WHERE ${key} >= ${KIND.number} AND ${key} < ${KIND.string}
      AND trunc(${id}::numeric) = ${id}::numeric ORDER BY ${key} DESC LIMIT 1) AS largest`,
  );
  const { numbers, texts, largest } = only(rows);
  return { hasNumbers: numbers, hasTexts: texts, largest: largest ?? undefined };
}
