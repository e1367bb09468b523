import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Handler, PathParts } from "../../http/contract.ts";
import { isDryRun } from "../../http/routes/carry-out.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import { jsonContent } from "../../openapi/bind/bodies.ts";
import { findAlike, wordsIn } from "../../openapi/bind/words.ts";
import type { Operation } from "../../openapi/read/api-document.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import { createActionEffect, undoneBy } from "./action-effect.ts";
import type { OperationContext } from "./operation-context.ts";

import { tellsPresence } from "./presence.ts";
import { createFind, findBelow } from "./record-above.ts";
import { isNullable, schemaFields } from "./schema-fields.ts";

/**
 * Lets operations one word below a record change it, although they respond with something else: `PUT /issues/{id}/lock` sets
 * `locked` and `DELETE` unsets it. A `GET` there without a body tells whether it is set. Undefined for other operations.
 */
export function createParentEffect(
  tools: OperationContext,
  operation: Operation,
  respond: Handler<PathParts>,
): Handler<PathParts> | undefined {
  const below = findBelow(tools, operation);
  if (!below) return undefined;
  const { collection, item, name } = below;
  const { references } = tools.document;
  const { record } = collection;
  const flags = createActionEffect(references, record, { name, now: tools.now });
  if (Object.keys(flags()).length === 0) return undefined;
  const find = createFind(tools, below);
  const isRead = operation.method === "GET";
  if (isRead && !(tellsPresence(operation) && Object.values(flags()).includes(true))) return undefined;
  if (isRead) {
    return async (call, service, parts) => {
      const id = await find(service, parts);
      const held = (await service.store.get(collection.name, id))?.value;
      const isSet = Object.entries(flags()).every(
        ([field, value]) => value !== true || (isJsonObject(held) && held[field] === true),
      );
      if (!isSet) throw recordNotFound(`${collection.name} ${name}`, item.idParameter ?? collection.idKey, id);
      return respond(call, service, parts);
    };
  }
  if (!["PUT", "POST", "DELETE"].includes(operation.method)) return undefined;
  const siblings = tools.document.operations.filter(({ path }) => path.shape === operation.path.shape);
  const isUndone = operation.method === "DELETE" && siblings.length > 1;
  const effect = isUndone ? createActionEffect(references, record, { name: `un${name}`, now: tools.now }) : flags;
  if (isUndone && undoneBy(`un${name}`).length === 0) return undefined;
  const told = createToldFields(
    tools,
    collection,
    siblings.find(({ method }) => method !== "DELETE" && method !== "GET"),
  );
  return async (call, service, parts) => {
    const id = await find(service, parts);
    const reply = await respond(call, service, parts);
    if (reply.status >= 300 || isDryRun(call.preferences)) return reply;
    const body = { ...effect(), ...told(isUndone ? undefined : await call.body()) };
    await service.store.apply({ kind: "patch", collection: collection.name, id, body });
    return reply;
  };
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
