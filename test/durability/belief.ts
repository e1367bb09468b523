import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { recordsOf } from "./place.ts";

/** A writer's knowledge of its own records: by collection in their order, those of the stock by id, and its singleton. */
export interface Belief {
  readonly lists: Map<string, JsonObject[]>;
  readonly stock: Map<number, JsonObject>;
  settings: JsonObject;
}

/** The collections that writers share: each record names the writer that created it. */
const SHARED = ["notes", "parents", "children"] as const;

/** The start of the names of the collections that only this writer uses. */
export function ownPrefix(number: number): string {
  return `w${number}c`;
}

/** Reads the records of a writer from the database. */
export function believe(database: JsonObject, number: number, owns: (id: number) => boolean): Belief {
  // Copies: a writer adds to its lists, never to the database.
  const lists = new Map<string, JsonObject[]>();
  for (const name of SHARED)
    lists.set(
      name,
      recordsOf(database, name).filter(({ writer }) => writer === number),
    );
  for (const name of Object.keys(database)) {
    if (name.startsWith(ownPrefix(number))) lists.set(name, [...recordsOf(database, name)]);
  }
  const stock = recordsOf(database, "stock").filter(({ id }) => owns(id as number));
  return {
    lists,
    stock: new Map(stock.map((record) => [record.id as number, record])),
    settings: database[`settings${number}`] as JsonObject,
  };
}

export function copyOf({ lists, stock, settings }: Belief): Belief {
  const copies = new Map<string, JsonObject[]>();
  for (const [name, records] of lists) copies.set(name, [...records]);
  return { lists: copies, stock: new Map(stock), settings };
}

export function listOf({ lists }: Belief, name: string): JsonObject[] {
  const list = lists.get(name);
  if (!list) throw new Error(`no collection ${name}`);
  return list;
}

/** The id of a record whose creation got no response is unknown: the comparison leaves it out. */
export function withoutUnknownIds(found: Belief, expected: Belief): Belief {
  const trimmed = [...found.lists].map(([name, records]) => {
    const others = expected.lists.get(name) ?? [];
    const trim = (record: JsonObject, index: number): JsonObject => {
      const other = others[index];
      if (other === undefined || "id" in other) return record;
      const { id, ...rest } = record;
      return rest;
    };
    return [name, records.map(trim)] as const;
  });
  return { ...found, lists: new Map(trimmed) };
}

/** For messages: everything but the stock, without fillings. */
export function plain({ lists, settings }: Belief): unknown {
  const short = (records: JsonObject[]): unknown[] => records.map(({ fill, ...rest }) => rest);
  return { ...Object.fromEntries([...lists].map(([name, records]) => [name, short(records)])), settings };
}

/** The records in a response, wherever they are: all objects with a mark and an id. */
export function recordsIn(body: unknown): JsonObject[] {
  if (typeof body !== "object" || body === null) return [];
  if ("mark" in body && "id" in body) return [body as JsonObject];
  return Object.values(body as Record<string, Json>).flatMap(recordsIn);
}
