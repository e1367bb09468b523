import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import type { GivenFilter } from "../../http/routes/list.ts";
import type { BoundOperation, ParentKey } from "../../openapi/bind/binding.ts";
import { equality } from "../../query/operators/eq.ts";
import { nullness } from "../../query/operators/null.ts";
import { parsePath } from "../../query/path.ts";
import type { Condition, Filter } from "../../query/query.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import type { Store } from "../../store/store.ts";

/** The records below the parents that a path names. */
export function ofParents({ parents }: BoundOperation, parts: PathParts): GivenFilter | undefined {
  const filters = parents.map((parent) => filterOf(parent, parts[parent.parameter]!));
  const [only, ...more] = filters;
  const [first] = parents;
  if (!only || !first) return undefined;
  return { filter: more.length === 0 ? only : { operator: "and", parts: filters }, field: first.field };
}

function filterOf({ field, collection }: ParentKey, value: string): Filter {
  const path = parsePath(field);
  const equal: Condition = { ...equality(path, [value]), isFromPath: true };
  if (collection !== undefined) return equal;
  // Generated records belong to every parent that is not served itself.
  return { operator: "or", parts: [equal, { ...nullness(path, ["true"], path.text), isFromPath: true }] };
}

/** Throws where a parent that is served has no such record. */
export async function expectParents({ store }: Service, { parents }: BoundOperation, parts: PathParts): Promise<void> {
  for (const { parameter, collection } of parents) {
    if (collection === undefined) continue;
    const id = parts[parameter]!;
    if (!(await store.get(collection, id))) throw recordNotFound(collection, store.idKeyOf(collection), id);
  }
}

/** Whether a record is below the parents that a path names. */
export function isOfParents({ parents }: BoundOperation, parts: PathParts, value: Json): boolean {
  return parents.every(({ parameter, field, collection }) => {
    const held = isJsonObject(value) ? value[field] : undefined;
    if ((held === undefined || held === null) && collection === undefined) return true;
    return String(held) === parts[parameter];
  });
}

/** The fields of a new record that the path decides. */
export async function fieldsOfParents(
  store: Store,
  { parents }: BoundOperation,
  { parts, typed }: { readonly parts: PathParts; readonly typed: (field: string, text: string) => Json },
): Promise<JsonObject> {
  const fields: JsonObject = {};
  for (const { parameter, field, collection } of parents) {
    const text = parts[parameter]!;
    fields[field] = collection === undefined ? typed(field, text) : await store.keyFor(collection, text);
  }
  return fields;
}
