import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../openapi/bind/binding.ts";
import { endingVerb } from "../../openapi/bind/ending.ts";
import { createActionEffect, undoneBy } from "./action-effect.ts";
import type { OperationContext } from "./operation-context.ts";
import { isNullable, schemaFields } from "./schema-fields.ts";

/** The changes of a record that a request to act on it makes. */
export type ActionChanges = (sent: Json | undefined) => JsonObject;

/** Prepares an action: what was sent and the record has is applied, and the rest follows from the action's name. */
export function createAction(
  { document: { references }, now }: Pick<OperationContext, "document" | "now">,
  { record, operations }: BoundCollection,
  { operation }: BoundOperation,
): ActionChanges {
  const name = (operation.method === "DELETE" && endingVerb(operation)) || nameOf(operation.path.text);
  const properties = schemaFields(references, record)?.properties ?? new Map();
  const effect = createActionEffect(references, record, { name, now, description: operation.description });
  const path = operation.path.text.slice(0, -name.length);
  const undone = undoneBy(name).map((other) => path + other);
  const opposite = operations.find((one) => one.action === "act" && undone.includes(one.operation.path.text));
  const given = opposite?.requestContent?.schema && schemaFields(references, opposite.requestContent.schema);
  const cleared = [...(given?.properties.keys() ?? [])].filter((field) => {
    const schema = properties.get(field);
    return schema !== undefined && isNullable(references, schema);
  });
  return (sent) => {
    const own = Object.entries(isJsonObject(sent) ? sent : {}).filter(([field]) => properties.has(field));
    return { ...Object.fromEntries(cleared.map((field) => [field, null])), ...effect(), ...Object.fromEntries(own) };
  };
}

function nameOf(path: string): string {
  return path.replace(/\/$/, "").slice(path.lastIndexOf("/", path.length - 2) + 1);
}
