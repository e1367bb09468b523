import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import type { GivenFilter } from "../../http/routes/list.ts";
import type { BoundCollection, BoundOperation, ParentKey } from "../../openapi/bind/binding.ts";
import { equality } from "../../query/operators/eq.ts";
import { nullness } from "../../query/operators/null.ts";
import { type Path, parsePath, valueAt } from "../../query/path.ts";
import type { Condition, Filter } from "../../query/query.ts";
import type { Id } from "../../store/ids.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import type { Store } from "../../store/store.ts";

/** The records below the parents that a path names. */
export function ofParents({ parents }: BoundOperation, parts: PathParts): GivenFilter | undefined {
  const told = parents.filter(({ isOfAll }) => !isOfAll);
  const filters = told.map((parent) => filterOf(parent, parts[parent.parameter]!));
  const [only, ...more] = filters;
  const [first] = told;
  if (!only || !first) return undefined;
  return { filter: more.length === 0 ? only : { operator: "and", parts: filters }, field: first.field };
}

function filterOf(parent: ParentKey, value: string): Filter {
  const { collection, isTold } = parent;
  const path = pathOf(parent);
  const equal: Condition = { ...equality(path, [value]), isFromPath: true };
  if (collection !== undefined || isTold) return equal;
  // Generated records belong to every parent that is not served itself.
  return { operator: "or", parts: [equal, { ...nullness(path, ["true"], path.text), isFromPath: true }] };
}

function pathOf({ holder, field }: ParentKey): Path {
  return parsePath(holder === undefined ? field : `${holder}.${field}`);
}

/** Throws where a parent that is served has no such record, or one that belongs to another of the path's parents. */
export type ExpectParents = (service: Service, parts: PathParts) => Promise<void>;

export function createExpectParents(
  { collections }: { readonly collections: readonly BoundCollection[] },
  { parents }: BoundOperation,
): ExpectParents {
  const served = parents.flatMap((parent, at) => {
    const { parameter, collection } = parent;
    if (collection === undefined) return [];
    const above = collections.find(({ name }) => name === collection);
    const own = above ? deepestParents(above) : [];
    // `/a/1/b/2/c` where b 2 is another one's.
    const owners = parents.slice(0, at).flatMap((one) => {
      const held = own.find(({ collection: of, isOfAll }) => of !== undefined && of === one.collection && !isOfAll);
      return held ? [{ parameter: one.parameter, path: pathOf(held) }] : [];
    });
    return [{ parameter, collection, owners }];
  });
  return async ({ store }, parts) => {
    for (const { parameter, collection, owners } of served) {
      const id = parts[parameter]!;
      const record = await store.get(collection, id);
      const isOwn = owners.every((one) => {
        const held = record && valueAt(record.value, one.path);
        return held === undefined || held === null || String(held) === parts[one.parameter];
      });
      if (!record || !isOwn) throw recordNotFound(collection, store.idKeyOf(collection), id);
    }
  };
}

/** The parents in the longest path of a collection. */
export function deepestParents({ operations }: BoundCollection): readonly ParentKey[] {
  return operations.reduce<readonly ParentKey[]>(
    (most, { parents }) => (parents.length > most.length ? parents : most),
    [],
  );
}

/** Whether a record is below the parents that a path names. */
export function isOfParents({ parents }: BoundOperation, parts: PathParts, value: Json): boolean {
  return parents.every((parent) => {
    const { parameter, collection } = parent;
    const held = valueAt(value, pathOf(parent));
    if ((held === undefined || held === null) && collection === undefined) return true;
    return String(held) === parts[parameter];
  });
}

/** Whether a record says whose it is. */
export function hasParents({ parents }: BoundOperation, value: Json): boolean {
  return parents.every((parent) => parent.isOfAll || (valueAt(value, pathOf(parent)) ?? null) !== null);
}

interface GivenParents {
  readonly parts: PathParts;
  readonly sent: Json | undefined;
  /** The key of a parent in the type that the field has. */
  readonly typed: (field: string, key: Id) => Json;
}

function objectIn(value: Json | undefined, name: string): JsonObject | undefined {
  const inner = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(inner) ? inner : undefined;
}

/** The fields of a new record that the path decides. */
export async function fieldsOfParents(
  store: Store,
  { parents }: BoundOperation,
  { parts, sent, typed }: GivenParents,
): Promise<JsonObject> {
  const fields: JsonObject = {};
  for (const { parameter, field, holder, collection } of parents) {
    const text = parts[parameter]!;
    const value = typed(field, collection === undefined ? text : await store.keyFor(collection, text));
    if (holder === undefined) fields[field] = value;
    else fields[holder] = { ...objectIn(sent, holder), ...objectIn(fields, holder), [field]: value };
  }
  return fields;
}

/** A sent record without keys of parents that do not exist: those of the path stay. */
export async function withoutUnknownParents(
  store: Store,
  { parents }: BoundOperation,
  { parts, sent }: Pick<GivenParents, "parts" | "sent">,
): Promise<Json | undefined> {
  if (!isJsonObject(sent)) return sent;
  const own = { ...sent };
  for (const { parameter, field, holder, collection, isOfAll } of parents) {
    const key = isOfAll || holder !== undefined || !Object.hasOwn(sent, field) ? undefined : sent[field];
    if (key === undefined || collection === undefined || String(key) === parts[parameter]) continue;
    if (typeof key === "object" || !(await store.get(collection, String(key)))) delete own[field];
  }
  return own;
}
