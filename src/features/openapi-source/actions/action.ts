import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { endingVerb } from "../../../openapi/bind/ending.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { OperationContext } from "../operation-context.ts";
import { isNullable, schemaFields, typesOf } from "../schema-fields.ts";
import { createActionEffect, enumOf, isPast, undoneBy } from "./action-effect.ts";

/** The changes of a record that a request to act on it makes. */
export type ActionChanges = (sent: Json | undefined) => JsonObject;

/** Prepares an action: what was sent and the record has is applied, and the rest follows from the action's name. */
export function createAction(
  { document: { references }, now }: Pick<OperationContext, "document" | "now">,
  { record, operations }: BoundCollection,
  { operation, requestContent }: BoundOperation,
): ActionChanges {
  const name = (operation.method === "DELETE" && endingVerb(operation)) || nameOf(operation.path.text);
  const properties = schemaFields(references, record)?.properties ?? new Map();
  const effectOf = (name: string) =>
    createActionEffect(references, record, { name, now, description: operation.description });
  const effect = effectOf(name);
  const others = otherDeeds(references, name, requestContent?.schema).map((one) => ({
    ...one,
    effect: effectOf(one.deed),
  }));
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
    const other = others.find(({ field, value }) => isJsonObject(sent) && sent[field] === value);
    const done = other?.effect ?? effect;
    return { ...Object.fromEntries(cleared.map((field) => [field, null])), ...done(), ...Object.fromEntries(own) };
  };
}

/** Verbs for the opposite of what `{ "approved": false }` says. */
const REFUSALS: Readonly<Record<string, string>> = {
  approve: "reject",
  accept: "decline",
  enable: "disable",
  activate: "deactivate",
  publish: "unpublish",
};

interface OtherDeed {
  readonly field: string;
  readonly value: Json;
  readonly deed: string;
}

/** What a body may say is done instead of what the path says: `{ "action": "resume" }` at `/pause`. */
function otherDeeds(references: References, name: string, schema: Placed | undefined): OtherDeed[] {
  const fields = schema && schemaFields(references, schema);
  return [...(fields?.properties ?? [])].flatMap(([field, property]): OtherDeed[] => {
    const values = enumOf(references, property);
    if (values.some((value) => plainName(value) === plainName(name))) {
      return values.map((value) => ({ field, value, deed: value }));
    }
    const isFlag = typesOf(references, property).join() === "boolean" && isPast(name, field);
    return isFlag ? [{ field, value: false, deed: REFUSALS[name] ?? "" }] : [];
  });
}

function nameOf(path: string): string {
  return path.replace(/\/$/, "").slice(path.lastIndexOf("/", path.length - 2) + 1);
}
