import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { isJsonObject, type Json } from "../../../json.ts";
import type { Sql } from "../connections/connection.ts";
import { tableName } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { Census, createRow } from "../tables/row.ts";
import { lockSchema } from "../tables/schema.ts";
import { createIndexes, createTable } from "../tables/tables.ts";
import { announceReplacement } from "../write/changes.ts";
import { warnOfIds } from "./id-warnings.ts";

/** One member of a database on its way in; the values of a collection come one by one. */
export type IncomingMember =
  | { readonly kind: "collection"; readonly name: string; readonly values: Iterable<Json> | AsyncIterable<Json> }
  | { readonly kind: "singleton" | "aside"; readonly name: string; readonly value: Json };

/** What loading needs to know. */
export interface LoadTools {
  readonly schema: string;
  readonly channel: string;
  readonly trigrams: boolean;
  readonly idKey: string;
  /** The paths of a collection that are kept in order; `keys` are the fields its records have. */
  pathsOf(collection: string, keys: Iterable<string>): readonly string[];
  warn(text: string): void;
}

/** Versions of one load lie above those of every load before. */
const VERSIONS_PER_LOAD = 2 ** 32;
const PIECE_LENGTH = 64 * 1024;

/** Puts other data in place of all there are, inside a transaction: every process sees the old or the new whole. */
export async function replaceAll(
  sql: Sql,
  tools: LoadTools,
  members: Iterable<IncomingMember> | AsyncIterable<IncomingMember>,
): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`;
  await lockSchema(sql, tools.schema);
  const loaded: LoadedMember[] = [];
  for await (const member of members) {
    if (loaded.some(({ name }) => name === member.name)) throw new Error(`"${member.name}" occurs twice.`);
    loaded.push(await loadMember(sql, tools, member));
  }
  await exchange(sql, tools.channel, loaded);
  await sql`INSERT INTO meta VALUES ('loaded', 'yes') ON CONFLICT DO NOTHING`;
}

/** A member whose records are in their table, but that nobody sees yet. */
export interface LoadedMember {
  readonly name: string;
  readonly kind: string;
  readonly number: number;
  readonly version: number;
  readonly count: number;
  readonly census: Census;
  readonly body: string | null;
}

/** Takes the place of every member there is; their tables go. */
export async function exchange(sql: Sql, channel: string, loaded: readonly LoadedMember[]): Promise<void> {
  // Whoever is about to write waits here, and then finds other members.
  await sql`LOCK TABLE members IN EXCLUSIVE MODE`;
  const old = await sql`DELETE FROM members RETURNING number, kind`;
  await sql`DELETE FROM orders WHERE number = ANY(${old.map((row) => row.number as number)}::int[])`;
  for (const [position, member] of loaded.entries()) {
    const { name, kind, number, version, count, census, body } = member;
    await sql`INSERT INTO members (name, position, kind, number, version, count, next_slot, traits, keys, body)
      VALUES (${encodeText(name)}, ${position}, ${kind}, ${number}, ${version}, ${count}, ${count}, ${census.traits},
        ${JSON.stringify([...census.keys])}, ${body})`;
  }
  for (const row of old) if (row.kind === "collection") await sql.unsafe(`DROP TABLE ${tableName(Number(row.number))}`);
  await announceReplacement(sql, channel);
}

export async function nextNumber(sql: Sql): Promise<{ number: number; version: number }> {
  const [row] = await sql`SELECT nextval('numbers')::int AS number`;
  const number = row!.number as number;
  return { number, version: number * VERSIONS_PER_LOAD };
}

async function loadMember(sql: Sql, tools: LoadTools, member: IncomingMember): Promise<LoadedMember> {
  const { name, kind } = member;
  const { number, version } = await nextNumber(sql);
  if (member.kind !== "collection") {
    return { name, kind, number, version, count: 1, census: new Census(), body: JSON.stringify(member.value) };
  }
  const census = new Census();
  const { first, values } = await peek(member.values);
  const keys = isJsonObject(first) ? Object.keys(first) : [];
  const orders = await createTable(sql, number, tools.pathsOf(name, keys));
  const count = await copyIn(sql, number, version, values, census);
  await createIndexes(sql, number, orders, tools.trigrams);
  await sql.unsafe(`ANALYZE ${tableName(number)}`);
  await warnOfIds(sql, tableName(number), tools.idKey, (text) => tools.warn(`${name}: ${text}`));
  return { name, kind, number, version, count, census, body: null };
}

/** The first value, which tells which fields there are, and all of them. */
async function peek(
  values: Iterable<Json> | AsyncIterable<Json>,
): Promise<{ first: Json | undefined; values: AsyncIterable<Json> }> {
  const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  const head = await iterator.next();
  async function* again(): AsyncGenerator<Json> {
    for (let next = head; !next.done; next = await iterator.next()) yield next.value;
  }
  return { first: head.done ? undefined : head.value, values: again() };
}

async function copyIn(
  sql: Sql,
  number: number,
  version: number,
  values: Iterable<Json> | AsyncIterable<Json>,
  census: Census,
): Promise<number> {
  const stream = (await sql
    .unsafe(`COPY ${tableName(number)} (slot, version, plain, body, doc, search) FROM STDIN`)
    .writable()) as Writable;
  const done = finished(stream);
  // Heard below; a stream that fails in between must not end the process.
  done.catch(() => undefined);
  let count = 0;
  let piece = "";
  for await (const value of values) {
    const row = createRow(value);
    census.count(row);
    piece += `${count++}\t${version}\t${row.plain}\t${escaped(row.body)}\t${escaped(row.doc)}\t${escaped(row.search)}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    if (!stream.write(piece)) await Promise.race([once(stream, "drain"), done]);
    piece = "";
  }
  stream.end(piece);
  await done;
  return count;
}

/** The text format of COPY: a column may hold no tab, line break or lone backslash. */
function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
