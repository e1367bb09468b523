import { StandinError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { type Id, idOf } from "../../../store/ids.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import { addOwnKeys } from "./add-own-keys.ts";

/** Makes records for those collections that have no ids yet. */
export type MakeRecords = (idsOf: (collection: string) => readonly Id[] | undefined) => Map<string, JsonObject[]>;

export interface FilledStore {
  /** The names of the collections that were given records. */
  readonly names: readonly string[];
}

/** Adds the collections that a store lacks, with records. Those that were emptied stay so. */
export async function fillStore(
  store: Store,
  collections: readonly BoundCollection[],
  make: MakeRecords,
): Promise<FilledStore> {
  await store.refresh();
  const known = new Set(store.members().map(({ name }) => name));
  const lacking = collections.filter(({ name }) => !known.has(name));
  await addOwnKeys(
    store,
    collections.filter(({ name }) => known.has(name)),
  );
  if (lacking.length === 0) return { names: [] };
  if (store.seed && known.size === 0) {
    const isMade = await store.seed(() => Object.fromEntries(make(() => undefined)));
    return { names: isMade ? lacking.map(({ name }) => name) : [] };
  }
  const ids = await idsIn(store, collections, new Set(lacking.map(({ name }) => name)));
  const made = make((name) => ids.get(name));
  for (const { name } of lacking) {
    await addCollection(store, name);
    const bodies = made.get(name) ?? [];
    if (bodies.length > 0) await store.apply({ kind: "create", collection: name, bodies });
  }
  return { names: lacking.map(({ name }) => name) };
}

/** Another process may have added it meanwhile. */
async function addCollection(store: Store, name: string): Promise<void> {
  try {
    await store.alter({ kind: "created", name, type: "collection" });
  } catch (thrown) {
    if (!(thrown instanceof StandinError) || thrown.code !== "COLLECTION_EXISTS") throw thrown;
  }
}

/** The ids that new records may refer to. */
async function idsIn(store: Store, collections: readonly BoundCollection[], lacking: ReadonlySet<string>) {
  const ids = new Map<string, readonly Id[]>();
  for (const { name, idKey } of collections) {
    if (lacking.has(name) || store.kindOf(name) === undefined) continue;
    const { records } = await store.find(name, slice(0, 100));
    ids.set(
      name,
      records.flatMap(({ value }) => idOf(value, idKey) ?? []),
    );
  }
  return ids;
}
