import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import { withoutUsableId } from "../../ids.ts";
import { isAside } from "../../memory/state.ts";
import type { RecordRules } from "../../record-rules.ts";
import type { Sql } from "../connections/connection.ts";
import { type NotingContext, noteExchange } from "../history/note-exchange.ts";
import { only } from "../sql/fragment.ts";
import { type KnownMember, tableName } from "../tables/catalogue.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import { CollectionProfile, rowOf } from "../tables/row.ts";
import { lockSchema } from "../tables/schema.ts";
import { createIndexes, createTable, lockTables } from "../tables/tables.ts";
import { announceReplacement } from "../write/changes.ts";

/** A member to be loaded; the values of a collection arrive one by one. */
export type IncomingMember =
  | {
      readonly kind: "collection";
      readonly name: string;
      readonly values: Iterable<Json> | AsyncIterable<Json>;
      /** Those of the values, in ascending order; without them, they count from 0. */
      readonly slots?: readonly number[] | undefined;
    }
  | { readonly kind: "singleton" | "aside"; readonly name: string; readonly value: Json };

/** The members of a database in memory, to be loaded into PostgreSQL. */
export function* incomingMembers(database: JsonObject): Generator<IncomingMember> {
  for (const [name, value] of Object.entries(database)) {
    if (isAside(name)) yield { kind: "aside", name, value };
    else if (Array.isArray(value)) yield { kind: "collection", name, values: value };
    else yield { kind: "singleton", name, value };
  }
}

/** The settings that loading needs. */
export interface LoadContext extends NotingContext {
  readonly schema: string;
  readonly channel: string;
  readonly hasTrigrams: boolean;
  readonly rules: RecordRules | undefined;
  /** The paths of a collection to index in order; `keys` are the fields of its records. */
  pathsOf(collection: string, keys: Iterable<string>): readonly string[];
  warn(text: string): void;
}

/** Versions of a load are above those of all loads before. */
const VERSIONS_PER_LOAD = 2 ** 32;
const PIECE_LENGTH = 64 * 1024;

/** Replaces all data, inside a transaction: every process sees either the old data or the new. */
export async function replaceDatabase(
  sql: Sql,
  context: LoadContext,
  members: Iterable<IncomingMember> | AsyncIterable<IncomingMember>,
): Promise<void> {
  await sql`SET LOCAL statement_timeout = 0`;
  await lockSchema(sql, context.schema);
  await context.idKeys.refresh(sql);
  const loaded: LoadedMember[] = [];
  for await (const member of members) {
    if (loaded.some(({ name }) => name === member.name)) throw new Error(`"${member.name}" occurs twice.`);
    loaded.push(await loadMember(sql, context, member));
  }
  await exchangeMembers(sql, context, loaded);
  await sql`INSERT INTO meta VALUES ('loaded', 'yes') ON CONFLICT DO NOTHING`;
}

/** A member whose table is filled, but that is not visible yet. */
export interface LoadedMember extends Pick<KnownMember, "name" | "kind" | "number" | "count"> {
  readonly version: number;
  readonly nextSlot: number;
  readonly profile: CollectionProfile;
  readonly body: string | null;
}

/** A member, as its table is found. */
export type TableRow = Pick<KnownMember, "number" | "kind">;

/** Lets all writers wait until the transaction ends; then they find the new members. */
export async function lockMembers(sql: Sql): Promise<void> {
  await sql`LOCK TABLE members IN EXCLUSIVE MODE`;
}

/** Replaces all members, and drops their tables. */
export async function exchangeMembers(sql: Sql, context: LoadContext, loaded: readonly LoadedMember[]): Promise<void> {
  await lockMembers(sql);
  await noteExchange(sql, context, loaded);
  const old = await sql<TableRow[]>`DELETE FROM members RETURNING number, kind`;
  await sql`DELETE FROM receipts`;
  const { number: load } = await nextNumber(sql);
  await sql`INSERT INTO meta VALUES ('load', ${String(load)}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
  // What follows from the old records does not happen any more, unless it has begun.
  await sql`DELETE FROM unhooked`;
  await sql`DELETE FROM jobs WHERE is_open AND NOT is_begun`;
  await sql`DELETE FROM orders WHERE number = ANY(${old.map(({ number }) => number)}::int[])`;
  for (const [position, member] of loaded.entries()) {
    const { name, kind, number, version, count, nextSlot, profile, body } = member;
    await sql`INSERT INTO members (name, position, kind, number, version, count, next_slot, traits, keys, body)
      VALUES (${encodeText(name)}, ${position}, ${kind}, ${number}, ${version}, ${count}, ${nextSlot}, ${profile.traits},
        ${JSON.stringify([...profile.keys])}, ${body})`;
  }
  const tables = old.flatMap(({ kind, number }) => (kind === "collection" ? tableName(number) : []));
  if (tables.length > 0) {
    await lockTables(sql, tables);
    await sql.unsafe(`DROP TABLE ${tables.join(", ")}`);
  }
  await announceReplacement(sql, context.channel);
}

export async function nextNumber(sql: Sql): Promise<{ number: number; version: number }> {
  const { number } = only(await sql<{ number: number }[]>`SELECT nextval('numbers')::int AS number`);
  return { number, version: number * VERSIONS_PER_LOAD };
}

async function loadMember(sql: Sql, context: LoadContext, member: IncomingMember): Promise<LoadedMember> {
  const { name, kind } = member;
  const { number, version } = await nextNumber(sql);
  const profile = new CollectionProfile();
  if (member.kind !== "collection") {
    return { name, kind, number, version, count: 1, nextSlot: 0, profile, body: stringifyJson(member.value) };
  }
  const { first, values } = await peek(member.values);
  const keys = isJsonObject(first) ? Object.keys(first) : [];
  const sortColumns = await createTable(sql, number, context.pathsOf(name, keys));
  const { slots } = member;
  const count = await copyIn(sql, { number, version, values, slots, profile });
  await createIndexes(sql, { number, sortColumns, hasTrigrams: context.hasTrigrams, isFilled: true });
  const warn = (text: string): void => context.warn(`${name}: ${text}`);
  await warnOfIds(sql, { table: tableName(number), idKey: context.idKeys.of(name), warn });
  const nextSlot = slots ? (slots.at(-1) ?? -1) + 1 : count;
  return { name, kind, number, version, count, nextSlot, profile, body: null };
}

/** Reads the first value, which shows the fields; `values` still yields all of them. */
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

interface CopyRequest {
  readonly number: number;
  readonly version: number;
  readonly values: AsyncIterable<Json>;
  readonly slots: readonly number[] | undefined;
  /** Updated with each row. */
  readonly profile: CollectionProfile;
}

/**
 * Copies values into a table that the transaction has created; returns their number. Frozen, its rows are known to be visible
 * to all, so that a page is found by the index alone, without waiting for a vacuum.
 */
async function copyIn(sql: Sql, { number, version, values, slots, profile }: CopyRequest): Promise<number> {
  const stream = (await sql
    .unsafe(`COPY ${tableName(number)} (slot, version, plain, body, doc, search) FROM STDIN (FREEZE)`)
    .writable()) as Writable;
  const done = finished(stream);
  // Awaited below; a rejection before that must not end the process.
  done.catch(() => undefined);
  let count = 0;
  let piece = "";
  for await (const value of values) {
    const row = rowOf(value);
    profile.add(row);
    const slot = slots?.[count] ?? count;
    count++;
    piece += `${slot}\t${version}\t${row.plain}\t${escaped(row.body)}\t${escaped(row.doc)}\t${escaped(row.search)}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    if (!stream.write(piece)) await Promise.race([once(stream, "drain"), done]);
    piece = "";
  }
  stream.end(piece);
  await done;
  return count;
}

/** Escapes a column for COPY's text format, which reserves tabs, line breaks and backslashes. */
function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES.get(character) ?? character);
}

const ESCAPES = new Map([
  ["\\", "\\\\"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\r", "\\r"],
]);

/** The most duplicate ids to name. */
const MAX_NAMED = 5;

interface IdCheck {
  readonly table: string;
  readonly idKey: string;
  readonly warn: (text: string) => void;
}

/** Warns of the records in a table that cannot be addressed, as the file store does when it loads them. */
async function warnOfIds(sql: Sql, { table, idKey, warn }: IdCheck): Promise<void> {
  const id = sql`(doc -> ${encodeText(idKey)}::text)`;
  const isUsable = sql`coalesce(jsonb_typeof(${id}) IN ('number', 'string'), false)`;
  const doubled = await sql<
    { id: string; ids: number }[]
  >`SELECT ${id} #>> '{}' AS id, count(*) OVER ()::int AS ids FROM ${sql(table)} WHERE ${isUsable}
    GROUP BY 1 HAVING count(*) > 1 ORDER BY min(slot) LIMIT ${MAX_NAMED}`;
  for (const row of doubled) {
    const text = JSON.stringify(decodeText(row.id));
    warn(`the ${idKey} ${text} occurs more than once; only the first record has a URL.`);
  }
  const more = (doubled[0]?.ids ?? 0) - doubled.length;
  if (more > 0) warn(`${more} other ids do, too.`);
  const rows = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM ${sql(table)} WHERE NOT ${isUsable}`;
  const { count } = only(rows);
  if (count > 0) warn(withoutUsableId(count, idKey));
}
