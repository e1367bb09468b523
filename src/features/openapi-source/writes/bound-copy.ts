import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { Handler, PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import type { OperationContext } from "../operation-context.ts";
import { recordByKeys } from "../parents/field-lookup.ts";
import { isOfParents } from "../parents/parents.ts";
import { beginsAnew, isGiven } from "../seeds/server-fields.ts";
import { createBegun } from "./bound-create.ts";
import { creatableFields } from "./record-mapping.ts";

/** Makes a record of another one: what was sent, and otherwise what that one has. */
export function createBoundCopy(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { idParameter = "", keys } = bound;
  const { name, idKey, ownKey } = collection;
  const settable = creatableFields(tools.document.references, collection);
  const isKept = (field: string): boolean =>
    field !== idKey &&
    field !== ownKey &&
    !beginsAnew(field) &&
    (settable?.has(plainName(field)) === true || !isGiven(field));
  const begin = async ({ store }: Service, parts: PathParts): Promise<JsonObject> => {
    const held =
      keys.length > 0
        ? await recordByKeys(store, { collection: name, bound, parts })
        : await store.get(name, parts[idParameter] ?? "");
    const key = parts[keys.at(-1)?.parameter ?? idParameter] ?? "";
    if (!held || !isOfParents(bound, parts, held.value)) throw recordNotFound(name, idKey, key);
    const fields = Object.entries(isJsonObject(held.value) ? held.value : {});
    return Object.fromEntries(fields.filter(([field]) => isKept(field)));
  };
  return createBegun(tools, {
    collection,
    bound: { ...bound, action: "create", idParameter: undefined, keys: [] },
    begin,
  });
}
