import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { jsonContent } from "../../../openapi/bind/bodies/bodies.ts";
import { findAlike, wordsIn } from "../../../openapi/bind/words.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import type { OperationContext } from "../operation-context.ts";
import { isNullable, schemaFields } from "../schema-fields.ts";
import { type ActionEffect, createActionEffect, undoneBy } from "./action-effect.ts";
import { tellsPresence } from "./presence.ts";
import { type Below, createFind, findBelow } from "./record-above.ts";
import { writeAfter } from "./write-after.ts";

/**
 * Lets operations one word below a record change it, although they respond with something else: `PUT /issues/{id}/lock` sets
 * `locked` and `DELETE` unsets it. A `GET` there without a body tells whether it is set. Undefined for other operations.
 */
export function createParentEffect(
  tools: OperationContext,
  operation: Operation,
  respond: Handler<PathParts>,
): Handler<PathParts> | undefined {
  const found = effectBelow(tools, operation);
  if (!found) return undefined;
  const { below, effect, isUndone } = found;
  const { collection, item, name } = below;
  const find = createFind(tools, below);
  if (operation.method === "GET") {
    if (!tellsPresence(operation) || !Object.values(effect()).includes(true)) return undefined;
    return async (call, service, parts) => {
      const id = await find(service, parts);
      const held = (await service.store.get(collection.name, id))?.value;
      const isSet = Object.entries(effect()).every(
        ([field, value]) => value !== true || (isJsonObject(held) && held[field] === true),
      );
      if (!isSet) throw recordNotFound(`${collection.name} ${name}`, item.idParameter ?? collection.idKey, id);
      return respond(call, service, parts);
    };
  }
  const setter = siblingsOf(tools, operation).find(({ method }) => method !== "DELETE" && method !== "GET");
  const told = createToldFields(tools, collection, setter);
  return writeAfter(respond, {
    find,
    async writeFor(id, { call }) {
      const body = { ...effect(), ...told(isUndone ? undefined : await call.body()) };
      return { kind: "patch", collection: collection.name, id, body };
    },
  });
}

type Bound = Pick<OperationContext, "document" | "collections" | "now">;

/** The record that an operation one word below it is about, and what its name does to it; undefined where that is nothing. */
export function effectBelow(
  tools: Bound,
  operation: Operation,
): { readonly below: Below; readonly effect: ActionEffect; readonly isUndone: boolean } | undefined {
  const below = ["GET", "PUT", "POST", "DELETE"].includes(operation.method) ? findBelow(tools, operation) : undefined;
  if (!below) return undefined;
  const { name, collection } = below;
  const { now, document } = tools;
  const effectOf = (deed: string): ActionEffect =>
    createActionEffect(document.references, collection.record, { name: deed, now });
  const flags = effectOf(name);
  if (Object.keys(flags()).length === 0) return undefined;
  const isUndone = operation.method === "DELETE" && siblingsOf(tools, operation).length > 1;
  if (isUndone && undoneBy(`un${name}`).length === 0) return undefined;
  return { below, effect: isUndone ? effectOf(`un${name}`) : flags, isUndone };
}

/** The operations of the same path. */
function siblingsOf({ document }: Pick<Bound, "document">, { path: { shape } }: Operation): readonly Operation[] {
  return document.operations.filter(({ path }) => path.shape === shape);
}

/** Fields that a request sets beside the flag, such as `lock_reason` for `active_lock_reason`; null without a request. */
function createToldFields(
  { document: { references }, passes }: OperationContext,
  { record }: BoundCollection,
  setter: Operation | undefined,
): (sent: Json | undefined) => JsonObject {
  const properties = schemaFields(references, record)?.properties ?? new Map();
  const request = jsonContent(setter?.requestBody?.contents)?.schema;
  const sendable = (request && schemaFields(references, request)?.properties.keys()) ?? [];
  const names = [...sendable].flatMap((name): [string, string][] => {
    const own = findAlike(properties.keys(), name) ?? longerName([...properties.keys()], name);
    return own === undefined ? [] : [[name, own]];
  });
  return (sent) => {
    const entries = names.flatMap(([name, own]): [string, Json][] => {
      const schema = properties.get(own);
      if (!isJsonObject(sent)) return isNullable(references, schema) ? [[own, null]] : [];
      const value = sent[name];
      return value !== undefined && passes(schema, value) ? [[own, value]] : [];
    });
    return Object.fromEntries(entries);
  };
}

/** `active_lock_reason` for `lock_reason`, where there is one such name. */
function longerName(names: readonly string[], name: string): string | undefined {
  const ending = wordsIn(name).join("_");
  const found = names.filter((one) => wordsIn(one).join("_").endsWith(`_${ending}`));
  return ending.includes("_") && found.length === 1 ? found[0] : undefined;
}
