import { refuseMemberEdit } from "../../refuse-member-edit.ts";
import type { MemberEdit } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { noteMembers } from "../history/note-exchange.ts";
import { only } from "../sql/fragment.ts";
import { type KnownMember, tableName } from "../tables/catalogue.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import { lockSchema } from "../tables/schema.ts";
import { addSortColumns, createIndexes, createTable } from "../tables/tables.ts";
import { announceMember } from "../write/changes.ts";
import { type LoadContext, lockMembers, nextNumber, type TableRow } from "./replace-database.ts";

/** Creates, renames or removes a member, inside a transaction. Throws when it must not happen. */
export async function alterMember(sql: Sql, context: LoadContext, edit: MemberEdit): Promise<void> {
  await lockSchema(sql, context.schema);
  await lockMembers(sql);
  const rows = await sql<Pick<KnownMember, "name" | "kind">[]>`SELECT name, kind FROM members`;
  const members = rows.map(({ name, kind }) => [decodeText(name), kind === "aside" ? undefined : kind] as const);
  refuseMemberEdit(edit, new Map(members));
  await context.idKeys.refresh(sql);
  await noteMembers(sql, context, edit);
  if (edit.kind === "created") await create(sql, context, edit);
  else if (edit.kind === "removed") await remove(sql, edit.name);
  else await rename(sql, context, edit);
  await announceMember(sql, context.channel, edit);
}

async function rename(sql: Sql, { idKeys }: LoadContext, { name, to }: MemberEdit & { kind: "renamed" }) {
  await idKeys.keep(sql, name, to);
  await idKeys.refresh(sql);
  const rows = await sql<TableRow[]>`UPDATE members
    SET name = ${encodeText(to)}, version = version + 1, edition = edition + 1
    WHERE name = ${encodeText(name)} RETURNING number, kind`;
  const { number, kind } = only(rows);
  if (kind !== "collection") return;
  const columns = await sql<{ path: string; name: string }[]>`SELECT path, name FROM orders WHERE number = ${number}`;
  const present = new Map(columns.map((column) => [column.path, column.name]));
  // The new name may have a primary key of its own.
  await sql`SET LOCAL statement_timeout = 0`;
  await addSortColumns(sql, { number, present, paths: [idKeys.of(to)] });
}

async function create(sql: Sql, { idKeys, pathsOf, hasTrigrams }: LoadContext, edit: MemberEdit & { kind: "created" }) {
  const { name, type } = edit;
  await idKeys.forget(sql, name);
  await idKeys.refresh(sql);
  const { number, version } = await nextNumber(sql);
  if (type === "collection") {
    const sortColumns = await createTable(sql, number, pathsOf(name, []));
    await createIndexes(sql, { number, sortColumns, hasTrigrams, isFilled: false });
  }
  const [count, body] = type === "collection" ? [0, null] : [1, "{}"];
  await sql`INSERT INTO members (name, position, kind, number, version, count, body)
    SELECT ${encodeText(name)}, coalesce(max(position), -1) + 1, ${type}, ${number}, ${version}, ${count}, ${body}
    FROM members`;
}

async function remove(sql: Sql, name: string): Promise<void> {
  const rows = await sql<TableRow[]>`DELETE FROM members WHERE name = ${encodeText(name)} RETURNING number, kind`;
  const { number, kind } = only(rows);
  await sql`DELETE FROM orders WHERE number = ${number}`;
  if (kind === "collection") await sql.unsafe(`DROP TABLE ${tableName(number)}`);
}
