import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { Handler, PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import type { OperationContext } from "../operation-context.ts";
import { recordInPath } from "../parents/field-lookup.ts";
import { isOfParents } from "../parents/parents.ts";
import { beginsAnew, isOfServer } from "../seeds/server-fields.ts";
import { createWithDefaults } from "./bound-create.ts";
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
    (settable?.has(plainName(field)) === true || !isOfServer(field));
  const defaults = async ({ store }: Service, parts: PathParts): Promise<JsonObject> => {
    const held = await recordInPath(store, { collection: name, bound, parts });
    const key = parts[keys.at(-1)?.parameter ?? idParameter] ?? "";
    if (!held || !isOfParents(bound, parts, held.value)) throw recordNotFound(name, idKey, key);
    const fields = Object.entries(isJsonObject(held.value) ? held.value : {});
    return Object.fromEntries(fields.filter(([field]) => isKept(field)));
  };
  return createWithDefaults(tools, {
    collection,
    bound: { ...bound, action: "create", idParameter: undefined, keys: [] },
    defaults,
  });
}
