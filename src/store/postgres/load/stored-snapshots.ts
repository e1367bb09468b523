import type { Json, JsonObject } from "../../../json.ts";
import type { Sql } from "../connections/connection.ts";
import { tableName } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { Census } from "../tables/row.ts";
import { lockSchema } from "../tables/schema.ts";
import { createIndexes, createTable } from "../tables/tables.ts";
import { exchange, type LoadedMember, type LoadTools, nextNumber } from "./load.ts";

/** Under this id the data are kept that a reset goes back to. */
export const BASELINE = "baseline";

/** One snapshot of the whole database, kept in it. */
export interface Kept {
  readonly id: string;
  readonly createdAt: Date;
  readonly bytes: number;
  readonly counts: Record<string, number>;
}

interface KeptMember {
  readonly name: string;
  readonly kind: string;
  readonly count: number;
  readonly traits: number;
  readonly keys: readonly string[];
  readonly body: string | null;
  /** The number of the table with the copies. */
  readonly copy: number | null;
}

function copyName(number: number): string {
  return `kept_${number}`;
}

const COLUMNS = "slot, plain, body, doc, search";

/** Keeps a copy of everything as it is at one moment; call it in a transaction that sees one moment. */
export async function keepAll(sql: Sql, id: string): Promise<Kept> {
  await sql`SET LOCAL statement_timeout = 0`;
  const rows = await sql`SELECT name, kind, number, count, traits, keys, body FROM members ORDER BY position`;
  const members: KeptMember[] = [];
  let bytes = 0;
  for (const row of rows) {
    const { kind, body } = row as { kind: string; body: string | null };
    let copy: number | null = null;
    if (kind === "collection") {
      copy = (await nextNumber(sql)).number;
      await sql.unsafe(`CREATE TABLE ${copyName(copy)} AS SELECT ${COLUMNS} FROM ${tableName(Number(row.number))}`);
      const [size] = await sql`SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM ${sql(copyName(copy))}`;
      bytes += Number(size!.bytes);
    } else bytes += Buffer.byteLength(body ?? "");
    const name = decodeText(row.name as string);
    const keys = JSON.parse(row.keys as string) as string[];
    members.push({ name, kind, count: Number(row.count), traits: Number(row.traits), keys, body, copy });
  }
  await removeKept(sql, id);
  const [made] =
    await sql`INSERT INTO kept VALUES (${id}, now(), ${bytes}, ${JSON.stringify(members)}) RETURNING created_at`;
  return { id, createdAt: made!.created_at as Date, bytes, counts: countsOf(members) };
}

/** Newest first; the baseline is none of them. */
export async function listKept(sql: Sql): Promise<Kept[]> {
  const rows =
    await sql`SELECT id, created_at, bytes, members FROM kept WHERE id <> ${BASELINE} ORDER BY created_at DESC, id DESC`;
  return rows.map((row) => ({
    id: row.id as string,
    createdAt: row.created_at as Date,
    bytes: Number(row.bytes),
    counts: countsOf(JSON.parse(row.members as string) as KeptMember[]),
  }));
}

/** Puts what was kept in place of everything; tells whether there was such. Call it in a transaction. */
export async function restoreKept(sql: Sql, tools: LoadTools, id: string): Promise<boolean> {
  await sql`SET LOCAL statement_timeout = 0`;
  await lockSchema(sql, tools.schema);
  const [found] = await sql`SELECT members FROM kept WHERE id = ${id}`;
  if (!found) return false;
  const loaded: LoadedMember[] = [];
  for (const member of JSON.parse(found.members as string) as KeptMember[]) {
    const { number, version } = await nextNumber(sql);
    if (member.copy !== null) {
      const orders = await createTable(sql, number, tools.pathsOf(member.name, member.keys));
      const rows = sql`SELECT slot, ${version}::bigint, plain, body, doc, search FROM ${sql(copyName(member.copy))} ORDER BY slot`;
      await sql`INSERT INTO ${sql(tableName(number))} (slot, version, plain, body, doc, search) ${rows}`;
      await createIndexes(sql, number, orders, tools.trigrams);
      await sql.unsafe(`ANALYZE ${tableName(number)}`);
    }
    loaded.push({ ...member, number, version, census: new Census(member.keys, member.traits) });
  }
  await exchange(sql, tools.channel, loaded);
  return true;
}

/** The data that were kept under an id; none when there is no such. */
export async function readKept(sql: Sql, id: string): Promise<JsonObject> {
  const [found] = await sql`SELECT members FROM kept WHERE id = ${id}`;
  const members = found ? (JSON.parse(found.members as string) as KeptMember[]) : [];
  const data: [string, Json][] = [];
  for (const { name, body, copy } of members) {
    const rows = copy === null ? [] : await sql`SELECT body FROM ${sql(copyName(copy))} ORDER BY slot`;
    const text = copy === null ? (body ?? "null") : `[${rows.map((row) => row.body as string).join(",")}]`;
    data.push([name, JSON.parse(text) as Json]);
  }
  return Object.fromEntries(data);
}

export async function removeKept(sql: Sql, id: string): Promise<boolean> {
  const [removed] = await sql`DELETE FROM kept WHERE id = ${id} RETURNING members`;
  if (!removed) return false;
  for (const { copy } of JSON.parse(removed.members as string) as KeptMember[]) {
    if (copy !== null) await sql.unsafe(`DROP TABLE ${copyName(copy)}`);
  }
  return true;
}

function countsOf(members: readonly KeptMember[]): Record<string, number> {
  return Object.fromEntries(members.filter(({ kind }) => kind !== "aside").map(({ name, count }) => [name, count]));
}
