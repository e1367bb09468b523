import { isJsonObject, type Json } from "../../src/base/json/json.ts";
import type { Action, BoundCollection, BoundOperation } from "../../src/openapi/bind/binding.ts";
import { askAt } from "../support/api.ts";
import { type Client, pathOf } from "./client.ts";
import { walk } from "./walk.ts";

export interface RoundTrips {
  tried: number;
  passed: number;
  walks: number;
  walked: number;
  readonly failures: string[];
}

/**
 * Creates, reads, lists, changes and removes a record of each bound collection that offers it, as a client of the
 * document would, and walks each list to its end.
 */
export async function tryRoundTrips(
  url: string,
  client: Client,
  collections: readonly BoundCollection[],
): Promise<RoundTrips> {
  const trips: RoundTrips = { tried: 0, passed: 0, walks: 0, walked: 0, failures: [] };
  // Children first: a trip ends with the removal of a record, which may be their parent.
  const nesting = ({ operations }: BoundCollection): number => Math.max(...operations.map((one) => one.parents.length));
  for (const collection of [...collections].sort((a, b) => nesting(b) - nesting(a))) {
    for (const list of collection.operations.filter(({ action }) => action === "list")) {
      const why = await walk(client, collection, list, await parentValues(url, list, collection));
      trips.walks++;
      if (why === undefined) trips.walked++;
      else trips.failures.push(`${collection.name}: walk: ${list.operation.path.text}: ${why}`);
    }
    if (!collection.operations.some(({ action }) => action === "list")) continue;
    trips.tried++;
    const why = await tryOne(url, client, collection);
    if (why === undefined) trips.passed++;
    else trips.failures.push(`${collection.name}: trip: ${why}`);
  }
  return trips;
}

async function tryOne(url: string, client: Client, collection: BoundCollection): Promise<string | undefined> {
  const { idKey, operations } = collection;
  const of = (...actions: Action[]) => operations.find(({ action }) => actions.includes(action));
  const [create, read, list, change, remove] = [
    of("create"),
    of("read"),
    of("list")!,
    of("patch", "replace"),
    of("remove"),
  ];
  const parents = await parentValues(url, list, collection);
  const ask = (bound: BoundOperation, id?: Json) => client.ask(bound.operation, { path: pathOf(bound, parents, id) });
  const listed = await ask(list);
  if (listed.status >= 300) return `list: ${listed.status} ${listed.text.slice(0, 120)}`;
  const records = at(listed.body, list.at);
  if (!Array.isArray(records)) return "list: no array where the binding says";
  const held = at(records[0], list.wrapper?.at);
  if (records.length > 0 && !isJsonObject(held)) return "list: no record where the binding says";
  let id = isJsonObject(held) ? held[idKey] : undefined;
  if (create) {
    let created = await ask(create);
    if (created.status === 409)
      created = await client.ask(create.operation, { path: parents, edit: withFreeId(create, idKey) });
    if (created.status >= 300) return `create: ${created.status} ${created.text.slice(0, 160)}`;
    const record = at(created.body, create.at);
    const own = isJsonObject(record) ? record[idKey] : undefined;
    id = own ?? created.headers.get("location")?.split("/").at(-1) ?? (await lastStored(url, collection));
    if (!(await isStored(url, collection, id, true))) return `create: ${String(id)} is not in the collection`;
  }
  if (id === undefined || id === null) return create ? "create: the new record has no id" : undefined;
  if (read) {
    const why = await tryRead(read, id, idKey, () => ask(read, id));
    if (why !== undefined) return why;
  }
  if (change?.idParameter !== undefined) {
    const changed = await ask(change, id);
    if (changed.status >= 300) return `${change.action} ${id}: ${changed.status} ${changed.text.slice(0, 160)}`;
    const why = read && (await tryRead(read, id, idKey, () => ask(read, id)));
    if (why !== undefined) return `after ${change.action}: ${why}`;
  }
  if (remove?.idParameter !== undefined) {
    const removed = await ask(remove, id);
    if (removed.status >= 300) return `remove ${id}: ${removed.status} ${removed.text.slice(0, 120)}`;
    const gone = read && (await ask(read, id));
    if (gone && gone.status < 400) return `read after remove: ${gone.status}`;
    if (await isStored(url, collection, id, false)) return `remove ${id}: still in the collection`;
  }
  return undefined;
}

/** The body with an id that no record has: what the document's example has may be taken. */
function withFreeId({ requestAt }: BoundOperation, idKey: string): (body: Json) => Json {
  const change = (value: Json, [name, ...path]: readonly string[]): Json => {
    if (!isJsonObject(value)) return value;
    if (name !== undefined) return { ...value, [name]: change(value[name] ?? null, path) };
    const { [idKey]: id, ...rest } = value;
    return typeof id === "number" ? { ...rest, [idKey]: id + 900_001 } : { ...rest, [idKey]: `${String(id)}9` };
  };
  return (body) => change(body, requestAt);
}

async function tryRead(
  read: BoundOperation,
  id: Json,
  idKey: string,
  ask: () => ReturnType<typeof askAt>,
): Promise<string | undefined> {
  const found = await ask();
  if (found.status >= 300) return `read ${String(id)}: ${found.status} ${found.text.slice(0, 120)}`;
  const record = at(found.body, read.at);
  const one = Array.isArray(record) ? at(record[0], read.wrapper?.at) : record;
  if (!isJsonObject(one) || !(idKey in one) || String(one[idKey]) === String(id)) return undefined;
  return `read ${String(id)}: got ${String(one[idKey])}`;
}

/** Values for the wildcards of parents: ids that records of the collection refer to, from standin's own route. */
async function parentValues(
  url: string,
  list: BoundOperation,
  collection: BoundCollection,
): Promise<ReadonlyMap<string, string>> {
  if (list.parents.length === 0) return new Map();
  const [first] = (await stored(url, collection)) ?? [];
  return new Map(
    list.parents.flatMap(({ parameter, field }) =>
      isJsonObject(first) && first[field] !== undefined ? [[parameter, String(first[field])] as const] : [],
    ),
  );
}

async function lastStored(url: string, collection: BoundCollection): Promise<Json | undefined> {
  const last = (await stored(url, collection))?.at(-1);
  return isJsonObject(last) ? last[collection.idKey] : undefined;
}

/** Whether the collection has a record; `wanted` where that cannot be told. */
async function isStored(
  url: string,
  collection: BoundCollection,
  id: Json | undefined,
  wanted: boolean,
): Promise<boolean> {
  const records = await stored(url, collection);
  return records?.some((one) => isJsonObject(one) && String(one[collection.idKey]) === String(id)) ?? wanted;
}

/** The records of a collection; undefined where the document has a path of its own that hides them. */
async function stored(url: string, { name }: BoundCollection): Promise<readonly Json[] | undefined> {
  const { body } = await askAt(url, "GET /db");
  const records = isJsonObject(body as Json) ? (body as { [name: string]: Json })[name] : undefined;
  return Array.isArray(records) ? records : undefined;
}

export function at(body: unknown, path: readonly string[] | undefined): Json | undefined {
  let found = body as Json | undefined;
  for (const name of path ?? []) found = isJsonObject(found) ? found[name] : undefined;
  return found;
}
