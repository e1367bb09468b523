import { type Json, type JsonObject, parseJson } from "../../../base/json/json.ts";
import { createPause } from "../../../base/slices.ts";
import type { KeptState } from "../../memory/state.ts";
import type { Counts, StoredSnapshot } from "../../store.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { Sql } from "../connections/connection.ts";
import { only } from "../sql/fragment.ts";
import { type CatalogueRow, type KnownMember, tableName } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { CollectionProfile } from "../tables/row.ts";
import { lockSchema } from "../tables/schema.ts";
import { createIndexes, createTable } from "../tables/tables.ts";
import { exchangeMembers, type LoadContext, type LoadedMember, nextNumber } from "./replace-database.ts";

/** The id of the snapshot that a reset restores. */
export const BASELINE = "baseline";
/** The ids of copies that sandboxes begin with: no other snapshot has a space in its id. */
export const COPY_PREFIX = "sandbox ";

interface StoredMember extends Pick<KnownMember, "name" | "kind" | "count" | "traits"> {
  readonly keys: readonly string[];
  readonly body: string | null;
  /** The number of the table with copies of the records. */
  readonly copy: number | null;
}

interface KeptRow {
  readonly id: string;
  readonly created_at: Date;
  readonly bytes: string;
  /** Stored members, in JSON. */
  readonly members: string;
}

function membersIn([row]: readonly Pick<KeptRow, "members">[]): StoredMember[] | undefined {
  return row && (JSON.parse(row.members) as StoredMember[]);
}

function copyName(number: number): string {
  return `kept_${number}`;
}

const COLUMNS = "slot, plain, body, doc, search";

/** Copies all data into a snapshot; call it in a transaction that reads one moment. */
export async function saveSnapshot(sql: Sql, id: string): Promise<StoredSnapshot> {
  await sql`SET LOCAL statement_timeout = 0`;
  const rows = await sql<
    (CatalogueRow & { body: string | null })[]
  >`SELECT name, kind, number, count, traits, keys, body
    FROM members ORDER BY position`;
  const members: StoredMember[] = [];
  let bytes = 0;
  for (const { kind, number, traits, body, ...row } of rows) {
    let copy: number | null = null;
    if (kind === "collection") {
      copy = (await nextNumber(sql)).number;
      await sql.unsafe(`CREATE TABLE ${copyName(copy)} AS SELECT ${COLUMNS} FROM ${tableName(number)}`);
      const sizes = await sql<{ bytes: string }[]>`SELECT coalesce(sum(octet_length(body)), 0) AS bytes
        FROM ${sql(copyName(copy))}`;
      bytes += Number(only(sizes).bytes);
    } else bytes += Buffer.byteLength(body ?? "");
    const keys = JSON.parse(row.keys) as string[];
    members.push({ name: decodeText(row.name), kind, count: Number(row.count), traits, keys, body, copy });
  }
  await removeSnapshot(sql, id);
  const made = await sql<{ created_at: Date }[]>`INSERT INTO kept
    VALUES (${id}, now(), ${bytes}, ${JSON.stringify(members)}) RETURNING created_at`;
  return { id, createdAt: only(made).created_at, bytes, counts: countsOf(members) };
}

/** The snapshots, newest first, without the baseline and the copies for sandboxes. */
export async function listSnapshots(sql: Sql): Promise<StoredSnapshot[]> {
  const rows = await sql<KeptRow[]>`SELECT id, created_at, bytes, members FROM kept
    WHERE id <> ${BASELINE} AND NOT starts_with(id, ${COPY_PREFIX}) ORDER BY created_at DESC, id DESC`;
  return rows.map((row) => {
    return { id: row.id, createdAt: row.created_at, bytes: Number(row.bytes), counts: countsOf(membersIn([row])) };
  });
}

/** Replaces all data by that of a snapshot; false if there is no such snapshot. Call it in a transaction. */
export async function restoreSnapshot(sql: Sql, context: LoadContext, id: string): Promise<boolean> {
  await sql`SET LOCAL statement_timeout = 0`;
  await lockSchema(sql, context.schema);
  await context.idKeys.refresh(sql);
  const members = membersIn(await sql<KeptRow[]>`SELECT members FROM kept WHERE id = ${id}`);
  if (!members) return false;
  const loaded: LoadedMember[] = [];
  for (const member of members) {
    const { number, version } = await nextNumber(sql);
    let nextSlot = 0;
    if (member.copy !== null) {
      const sortColumns = await createTable(sql, number, context.pathsOf(member.name, member.keys));
      const copy = sql(copyName(member.copy));
      const rows = sql`SELECT slot, ${version}::bigint, plain, body, doc, search FROM ${copy} ORDER BY slot`;
      await sql`INSERT INTO ${sql(tableName(number))} (slot, version, plain, body, doc, search) ${rows}`;
      await createIndexes(sql, { number, sortColumns, hasTrigrams: context.hasTrigrams, isFilled: true });
      const last = await sql<{ slot: string }[]>`SELECT coalesce(max(slot), -1) AS slot FROM ${copy}`;
      nextSlot = Number(only(last).slot) + 1;
    }
    loaded.push({ ...member, number, version, nextSlot, profile: new CollectionProfile(member.keys, member.traits) });
  }
  await exchangeMembers(sql, context, loaded);
  return true;
}

/** The data of a snapshot; empty if there is no such snapshot. */
export async function readSnapshot(sql: Sql, id: string): Promise<JsonObject> {
  const members = membersIn(await sql<KeptRow[]>`SELECT members FROM kept WHERE id = ${id}`);
  const data: [string, Json][] = [];
  for (const { name, body, copy } of members ?? []) {
    const rows =
      copy === null ? [] : await sql<{ body: string }[]>`SELECT body FROM ${sql(copyName(copy))} ORDER BY slot`;
    const text = copy === null ? (body ?? "null") : `[${rows.map((row) => row.body).join(",")}]`;
    data.push([name, parseJson(text)]);
  }
  return Object.fromEntries(data);
}

/** The members of a copy for sandboxes, each with the copy's number for a version; undefined if it is gone. */
export async function readCopiedMembers(sql: Sql, number: number): Promise<KeptState["members"] | undefined> {
  await sql`SET LOCAL statement_timeout = 0`;
  const stored = membersIn(await sql<KeptRow[]>`SELECT members FROM kept WHERE id = ${COPY_PREFIX + number}`);
  const members: KeptState["members"][number][] = [];
  for (const { name, kind, body, copy } of stored ?? []) {
    const rows =
      copy === null
        ? [{ slot: "0", body: body ?? "null" }]
        : await sql<{ slot: string; body: string }[]>`SELECT slot, body FROM ${sql(copyName(copy))} ORDER BY slot`;
    const pause = createPause();
    const records: StoredRecord[] = [];
    for (const row of rows) {
      records.push(new StoredRecord(parseJson(row.body), number, Number(row.slot), row.body));
      if (pause.isDue) await pause.take();
    }
    members.push({ name, kind, version: number, values: records.map(({ value }) => value), records });
  }
  return stored && members;
}

export async function removeSnapshot(sql: Sql, id: string): Promise<boolean> {
  const members = membersIn(await sql<KeptRow[]>`DELETE FROM kept WHERE id = ${id} RETURNING members`);
  if (!members) return false;
  const copies = members.flatMap(({ copy }) => copy ?? []);
  if (copies.length > 0) await sql.unsafe(`DROP TABLE ${copies.map(copyName).join(", ")}`);
  return true;
}

function countsOf(members: readonly StoredMember[] = []): Counts {
  return Object.fromEntries(members.filter(({ kind }) => kind !== "aside").map(({ name, count }) => [name, count]));
}
