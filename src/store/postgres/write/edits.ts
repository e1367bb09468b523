import type { Edit } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { type Fragment, name, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { Census, createRow, type Row } from "../tables/row.ts";
import type { Draft } from "./planned-database.ts";

/** The statements that make the edits of one member true. */
export function editSql(member: KnownMember, all: readonly Edit[], draft: Draft): Fragment[] {
  const edits = all.filter(({ name }) => name === member.name);
  if (edits.length === 0) return [];
  if (member.kind === "singleton") {
    const { text, version } = draft.singleton(member.name)!;
    return [sql`UPDATE members SET body = ${text}, version = ${version} WHERE number = ${member.number}`];
  }
  // What is left of a record after the whole batch, by its place.
  const last = new Map<number, { isNew: boolean; after: StoredRecord | undefined }>();
  for (const { before, after } of edits) {
    const { slot } = (after ?? before)!;
    last.set(slot, { isNew: last.get(slot)?.isNew ?? !before, after });
  }
  const entries = [...last].map(([slot, entry]) => ({ slot, ...entry }));
  const rowsOf = (isNew: boolean) =>
    entries.flatMap((entry) =>
      entry.isNew === isNew && entry.after
        ? [{ record: entry.after, row: createRow(entry.after.value, entry.after.text) }]
        : [],
    );
  const [inserted, updated] = [rowsOf(true), rowsOf(false)];
  const removed = entries.filter(({ isNew, after }) => !isNew && !after).map(({ slot }) => String(slot));
  const table = name(member.table);
  const statements: Fragment[] = [];
  if (inserted.length > 0) {
    statements.push(sql`INSERT INTO ${table} (slot, version, plain, body, doc, search)
      SELECT slot, version, plain::boolean, body, doc::jsonb, search FROM ${rowSource(inserted)}`);
  }
  if (updated.length > 0) {
    statements.push(sql`UPDATE ${table} AS t SET version = s.version, plain = s.plain::boolean, body = s.body,
      doc = s.doc::jsonb, search = s.search FROM ${rowSource(updated)} WHERE t.slot = s.slot`);
  }
  if (removed.length > 0) statements.push(sql`DELETE FROM ${table} WHERE slot = ANY(${removed}::bigint[])`);
  statements.push(
    memberSql(
      member,
      [...inserted, ...updated].map(({ row }) => row),
      inserted.length - removed.length,
      draft,
    ),
  );
  return statements;
}

function rowSource(entries: readonly { record: StoredRecord; row: Row }[]): Fragment {
  const column = <T>(read: (entry: { record: StoredRecord; row: Row }) => T): T[] => entries.map(read);
  return sql`unnest(
    ${column(({ record }) => String(record.slot))}::bigint[], ${column(({ record }) => String(record.version))}::bigint[],
    ${column(({ row }) => String(row.plain))}::text[], ${column(({ row }) => row.body)}::text[],
    ${column(({ row }) => row.doc)}::text[], ${column(({ row }) => row.search)}::text[])
    AS s(slot, version, plain, body, doc, search)`;
}

function memberSql(member: KnownMember, rows: readonly Row[], more: number, draft: Draft): Fragment {
  const census = new Census(member.keys, member.traits);
  const isNews = rows.map((row) => census.count(row)).some(Boolean);
  const { nextSlot } = draft.collection(member.name)!;
  const news = isNews
    ? sql`, edition = edition + 1, traits = ${census.traits}, keys = ${JSON.stringify([...census.keys])}`
    : sql``;
  return sql`UPDATE members SET version = ${draft.version}, count = count + ${more}, next_slot = ${nextSlot} ${news}
    WHERE number = ${member.number}`;
}
