import { parseJson } from "../../../base/json/json.ts";
import type { Filter } from "../../../query/query.ts";
import type { Exported } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import { conditionSql } from "../read/where-sql.ts";
import { all } from "../sql/conditions.ts";
import { type Fragment, name, run, sql } from "../sql/fragment.ts";
import { type Catalogue, tableName } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { type RecordRow, recordFromRow, singletonFromRow } from "../tables/row.ts";

/** The conditions that the records of a collection must meet to be read; undefined for all records. */
export type WhereOf = (name: string) => readonly Filter[] | undefined;

/** A member with the fields of its row that differ from kind to kind. */
export type MemberRow = { readonly name: string; readonly number: number; readonly version: string } & (
  | { readonly kind: "collection"; readonly body: null }
  | { readonly kind: "singleton" | "aside"; readonly body: string }
);

interface ExportOptions {
  readonly limit?: number | undefined;
  readonly whereOf?: WhereOf | undefined;
  /** The members that conditions are made for. */
  readonly catalogue?: Catalogue;
}

/** All data of the moment that a transaction reads. */
export async function exportAll(database: Sql, options: ExportOptions = {}): Promise<Exported[]> {
  const rows = await database<
    (MemberRow & { readonly edition: string })[]
  >`SELECT name, kind, number, version, edition, body FROM members ORDER BY position`;
  const exported: Exported[] = [];
  for (const row of rows) exported.push(await exportMember(database, row, options));
  return exported;
}

async function exportMember(
  database: Sql,
  row: MemberRow & { readonly edition: string },
  options: ExportOptions,
): Promise<Exported> {
  const memberName = decodeText(row.name);
  const version = Number(row.version);
  if (row.kind === "aside") return { kind: "aside", name: memberName, version, value: parseJson(row.body) };
  if (row.kind === "singleton") return { kind: "singleton", name: memberName, version, record: singletonFromRow(row) };
  const where = all([sql`true`, ...(await conditionsOf(database, row, options))]);
  const table = name(tableName(row.number));
  const statement = sql`SELECT slot, version, body FROM ${table} WHERE ${where} ORDER BY slot LIMIT ${options.limit ?? null}`;
  const records = (await run<RecordRow>(database, statement, false)).map(recordFromRow);
  return { kind: "collection", name: memberName, version, records };
}

async function conditionsOf(
  database: Sql,
  { name: coded, edition }: MemberRow & { readonly edition: string },
  { whereOf, catalogue }: ExportOptions,
): Promise<Fragment[]> {
  const memberName = decodeText(coded);
  const where = whereOf?.(memberName);
  if (!where) return [];
  const member = catalogue?.get(memberName);
  // The conditions depend on what the catalogue says of the records.
  if (member?.edition !== edition) throw new OutdatedCatalogue();
  return conditionSql(database, member, where);
}
