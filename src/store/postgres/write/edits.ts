import type { Edit } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { editedRecord } from "../../stored-record.ts";
import { type Fragment, name, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import { CollectionProfile, type Row, rowOf } from "../tables/row.ts";
import type { PlannedDatabase } from "./planned-database.ts";

/** The statements that apply the edits of one member. */
export interface EditStatements {
  readonly statements: readonly Fragment[];
  /** Whether the records have fields or traits that the catalogue does not know yet. */
  readonly isNewEdition: boolean;
}

export function editSql(member: KnownMember, all: readonly Edit[], planned: PlannedDatabase): EditStatements {
  const edits = all.filter(({ name }) => name === member.name);
  const latest = edits.at(-1);
  if (!latest) return { statements: [], isNewEdition: false };
  const collection = planned.collection(member.name);
  if (!collection) {
    const { text, version } = editedRecord(latest);
    const statement = sql`UPDATE members SET body = ${text}, version = ${version} WHERE number = ${member.number}`;
    return { statements: [statement], isNewEdition: false };
  }
  // The last state of each record after the whole batch, by its slot.
  const last = new Map<number, { isNew: boolean; after: StoredRecord | undefined }>();
  for (const edit of edits) {
    const { slot } = editedRecord(edit);
    last.set(slot, { isNew: last.get(slot)?.isNew ?? !edit.before, after: edit.after });
  }
  const entries = [...last].map(([slot, entry]) => ({ slot, ...entry }));
  const rowsOf = (isNew: boolean) =>
    entries.flatMap((entry) =>
      entry.isNew === isNew && entry.after
        ? [{ record: entry.after, row: rowOf(entry.after.value, entry.after.text) }]
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
  const rows = [...inserted, ...updated].map(({ row }) => row);
  const profile = new CollectionProfile(member.keys, member.traits);
  const isNewEdition = rows.map((row) => profile.add(row)).some(Boolean);
  const catalogue = isNewEdition
    ? sql`, edition = edition + 1, traits = ${profile.traits}, keys = ${JSON.stringify([...profile.keys])}`
    : sql``;
  statements.push(sql`UPDATE members SET version = ${planned.version}, next_slot = ${collection.nextSlot},
    count = count + ${inserted.length - removed.length} ${catalogue} WHERE number = ${member.number}`);
  return { statements, isNewEdition };
}

function rowSource(entries: readonly { record: StoredRecord; row: Row }[]): Fragment {
  const column = <T>(read: (entry: { record: StoredRecord; row: Row }) => T): T[] => entries.map(read);
  return sql`unnest(
    ${column(({ record }) => String(record.slot))}::bigint[], ${column(({ record }) => String(record.version))}::bigint[],
    ${column(({ row }) => String(row.plain))}::text[], ${column(({ row }) => row.body)}::text[],
    ${column(({ row }) => row.doc)}::text[], ${column(({ row }) => row.search)}::text[])
    AS s(slot, version, plain, body, doc, search)`;
}
