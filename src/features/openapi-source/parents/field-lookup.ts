import type { PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { equality } from "../../../query/operators/eq.ts";
import { parsePath } from "../../../query/path.ts";
import type { Filter } from "../../../query/query.ts";
import { idOf } from "../../../store/ids.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import { hasParents, ofParents } from "./parents.ts";

interface Lookup {
  readonly collection: string;
  readonly bound: BoundOperation;
  readonly parts: PathParts;
}

/** Records with the same fields that are looked at. */
const MAX_FOUND = 20;

/** The id of the record whose fields have what the path says, the first one where it says nothing. Throws where there is none. */
export async function idByKeys({ store }: Service, lookup: Lookup): Promise<string> {
  const { collection, bound, parts } = lookup;
  const record = await recordByKeys(store, lookup);
  const id = record && idOf(record.value, store.idKeyOf(collection));
  if (id !== undefined) return String(id);
  const { keys } = bound;
  const names = keys.map(({ path }) => path.join(".")).join(" and ");
  throw recordNotFound(collection, names, keys.map(({ parameter }) => parts[parameter]).join("/"));
}

/** The same record, if it is there. */
export async function recordByKeys(
  store: Store,
  { collection, bound, parts }: Lookup,
): Promise<StoredRecord | undefined> {
  const { keys } = bound;
  const paths = keys.map(({ path }) => path.join("."));
  const given = ofParents(bound, parts);
  const where = keys.map(({ parameter }, at) => ({
    ...equality(parsePath(paths[at]!), [parts[parameter]!]),
    isFromPath: true,
  }));
  const query = { ...slice(0, given ? MAX_FOUND : 1), where: given ? [...where, given.filter] : where };
  const { records } = await store.find(collection, query);
  // Generated records belong to every parent, and others are meant before them.
  return records.find(({ value }) => hasParents(bound, value)) ?? records[0];
}

/** The record that a path names, by its id or its fields, if it is there. */
export async function recordInPath(store: Store, lookup: Lookup): Promise<StoredRecord | undefined> {
  const { collection, bound, parts } = lookup;
  if (bound.keys.length > 0) return recordByKeys(store, lookup);
  return store.get(collection, parts[bound.idParameter ?? ""] ?? "");
}

/** Lets the key in a path find a record below the parents in it, where no other path says which one is meant. */
export function addressed({ idKey, ownKey }: BoundCollection, bound: BoundOperation): BoundOperation {
  const { idParameter, keys } = bound;
  if (ownKey === undefined || idParameter === undefined || keys.length > 0) return bound;
  return { ...bound, keys: [{ parameter: idParameter, path: [idKey] }] };
}

/** The record that a value outside of a path names: by its id or, where that needs parents, by a key and a filter. */
export async function recordNamed(
  store: Store,
  { name, idKey, ownKey }: BoundCollection,
  { key, among = [] }: { readonly key: string; readonly among?: readonly Filter[] },
): Promise<StoredRecord | undefined> {
  if (ownKey === undefined) return store.get(name, key);
  const where = [{ ...equality(parsePath(idKey), [key]), isFromPath: true }, ...among];
  const { records } = await store.find(name, { ...slice(0, 1), where });
  return records[0];
}
