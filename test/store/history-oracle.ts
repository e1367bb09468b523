import { deflateSync, inflateSync } from "node:zlib";
import { expect } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { contentOf, type Edit, type Store, type Transaction } from "../../src/store/store.ts";

/** Random numbers that a seed decides. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The whole database after a version; thousands of them fit into memory only when they are compressed. */
export interface Copy {
  readonly version: number;
  readonly compressed: Buffer;
}

export async function copyOf(store: Store): Promise<Copy> {
  return { version: store.history?.latest ?? 0, compressed: deflateSync(await textOf(store)) };
}

export async function textOf(store: Store): Promise<string> {
  const members = await store.export();
  return JSON.stringify(Object.fromEntries(members.map((member) => [member.name, contentOf(member)])));
}

type Roll = (below: number) => number;

/** Makes one random change of any kind. */
export async function changeSomething(store: Store, roll: Roll, count: number): Promise<void> {
  const origin = { by: `client-${roll(3)}` };
  const collections = store.members().filter(({ kind }) => kind === "collection");
  const { name = "", count: size = 0 } = collections[roll(collections.length)] ?? {};
  const recordsOf = async (): Promise<readonly { value: Json }[]> => {
    const found = (await store.export()).find((member) => member.name === name);
    return found?.kind === "collection" ? found.records : [];
  };
  const someIds = async (most: number): Promise<string[]> => {
    const all = (await recordsOf()).flatMap(({ value }) => String((value as JsonObject).id ?? ""));
    const start = roll(all.length + 1);
    return all.slice(start, start + most).filter((id) => id !== "");
  };
  const [id] = size > 0 ? await someIds(1) : [];
  const remove = (ids: readonly string[]) => ({
    kind: "transaction" as const,
    members: [name],
    *run(data: Transaction) {
      for (const one of ids) yield* data.apply({ kind: "remove", collection: name, id: one, dependents: [] });
    },
  });
  const kind = roll(30);
  if (collections.length === 0 || kind === 0) {
    await store.alter(
      { kind: "created", name: `made-${count}`, type: kind === 0 ? "collection" : "singleton" },
      origin,
    );
  } else if (kind === 1) await store.alter({ kind: "renamed", name, to: `renamed-${count}` }, origin);
  else if (kind === 2 && collections.length > 2) await store.alter({ kind: "removed", name }, origin);
  else if (kind === 3) await store.reset(origin);
  else if (kind === 4) {
    const old: JsonObject = JSON.parse(await textOf(store));
    const kept = Object.entries(old).filter(() => roll(4) > 0);
    const database = Object.fromEntries(
      kept.map(([key, value]) => [
        key,
        Array.isArray(value) ? value.filter(() => roll(3) > 0).concat({ id: `s${count}` }) : value,
      ]),
    );
    await store.swap(database, origin);
  } else if (kind < 8 && store.kindOf("settings") === "singleton") {
    await store.apply({ kind: "patch-singleton", name: "settings", body: { count } }, origin);
  } else if (kind === 8) {
    const bodies = Array.from({ length: 280 }, (_, at) => ({ n: at, count }));
    await store.apply({ kind: "create", collection: name, bodies }, origin);
  } else if (kind === 9) await store.apply(remove(await someIds(300)), origin);
  else if (kind === 10) {
    const ids = await someIds(40);
    const change = await store.apply(remove(ids), origin);
    if (change.edits.length > 0) await bringBack(store, change.edits, origin);
  } else if (id !== undefined && kind < 16) {
    await store.apply({ kind: "remove", collection: name, id, dependents: [] }, origin);
  } else if (id !== undefined && kind < 22) {
    await store.apply({ kind: "patch", collection: name, id, body: { count, text: "é".repeat(roll(9)) } }, origin);
  } else await store.apply({ kind: "create", collection: name, bodies: [{ count }] }, origin);
}

/** Puts removed records back in their places. */
export async function bringBack(store: Store, edits: readonly Edit[], origin: { by?: string } = {}): Promise<void> {
  await store.apply(
    {
      kind: "transaction",
      members: [...new Set(edits.map(({ name }) => name))],
      *run(data) {
        for (const { name, before } of edits) {
          if (before) yield* data.apply({ kind: "return", collection: name, record: before });
        }
      },
    },
    { ...origin, cause: "revert" },
  );
}

/** Expects that the history of a store has these versions and no others, and shows the data as it was after each. Returns how many can be read. */
export async function expectPast(
  store: Store,
  copies: readonly Copy[],
  roll: Roll,
  reads = copies.length,
): Promise<number> {
  const { history } = store;
  if (!history) throw new Error("no history");
  const { versions } = await history.list({ limit: 1_000_000 });
  const numbers = versions.map(({ version }) => version).reverse();
  expect(new Set(numbers).size).toBe(numbers.length);
  const known = copies.filter(({ version }) => version >= (history.oldest ?? 0));
  const listed = new Set(numbers);
  expect(
    known.map(({ version }) => version).filter((version) => version > (history.oldest ?? 0) && !listed.has(version)),
  ).toEqual([]);
  for (let read = 0; read < Math.min(reads, known.length); read++) {
    const copy = known[reads < known.length ? roll(known.length) : read];
    if (!copy) continue;
    const moment = await history.at(copy.version);
    const text = await textOf(moment);
    const expected = inflateSync(copy.compressed).toString();
    if (text !== expected) expect(`version ${copy.version}: ${text}`).toBe(`version ${copy.version}: ${expected}`);
    await expectLookups(moment, JSON.parse(expected), roll);
  }
  return known.length;
}

/** Each record is found by its id, and none that is not there. */
async function expectLookups(store: Store, database: JsonObject, roll: Roll): Promise<void> {
  for (const [name, records] of Object.entries(database)) {
    if (!Array.isArray(records) || records.length === 0) continue;
    const record = records[roll(records.length)] as JsonObject;
    const first = records.find((one) => String((one as JsonObject).id) === String(record.id));
    expect((await store.get(name, String(record.id)))?.value).toEqual(first);
    const { id } = record;
    const absent = typeof id === "number" ? String(id + 100_000) : `${String(id)}x`;
    expect(await store.get(name, absent)).toBeUndefined();
  }
}
