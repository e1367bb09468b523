import { isJsonObject, type Json, stringifyJson } from "../../../base/json/json.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import { findAlike, isSameNoun, wordsIn } from "../../../openapi/bind/words.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { OperationContext } from "../operation-context.ts";
import { elementSchema, isMap, isNullable, recordFieldsOf, schemaFields, typesOf } from "../schema-fields.ts";
import { type Below, createFind, findBelow } from "./record-above.ts";
import { writeAfter } from "./write-after.ts";

type Deed = "add" | "remove" | "set";

/** What an operation does to the field of a record that its path names. */
export interface FieldBelow {
  readonly below: Below;
  readonly field: string;
  readonly schema: Placed;
  readonly isList: boolean;
  readonly deed: Deed;
  /** Whether an object keeps what is not sent. */
  readonly isPatch: boolean;
}

const DEEDS: readonly (readonly [verb: RegExp, deed: Deed])[] = [
  [/^(?:add|append|attach|assign|link)s?$/, "add"],
  [/^(?:remove|delete|detach|unassign|unlink)s?$/, "remove"],
  [/^(?:set|replace|change|update)s?$/, "set"],
];

/**
 * Lets operations one word below a record change the field of that name, although they respond with something else:
 * `POST /assets/{id}/tags` adds to its `tags` and `DELETE` takes out what it sends, `PUT /users/{id}/role` sets its `role`.
 */
export function createFieldEffect(
  tools: OperationContext,
  operation: Operation,
  respond: Handler<PathParts>,
): Handler<PathParts> | undefined {
  const found = fieldBelow(tools, operation);
  if (!found) return undefined;
  const { references } = tools.document;
  const { name } = found.below.collection;
  return writeAfter(respond, {
    find: createFind(tools, found.below),
    async writeFor(id, { call }) {
      const sent = valueIn(references, await call.body(), found);
      const transform = (current: Json): Json => {
        if (!isJsonObject(current)) return current;
        const value = changed(references, current[found.field], { ...found, sent });
        const isFitting = value !== undefined && tools.passes(found.schema, value);
        return isFitting ? { ...current, [found.field]: value } : current;
      };
      return { kind: "transform", collection: name, id, transform };
    },
  });
}

/** Undefined for operations that change no field by their name. */
export function fieldBelow(
  tools: Pick<OperationContext, "document" | "collections">,
  operation: Operation,
): FieldBelow | undefined {
  const { method, summary, description = "" } = operation;
  const below = method === "GET" ? undefined : findBelow(tools, operation);
  if (!below) return undefined;
  const { references } = tools.document;
  const [first = "", ...others] = wordsIn(below.name);
  const verb = others.length > 0 ? deedOf(first) : undefined;
  const noun = verb ? others.join("_") : below.name;
  const properties = recordFieldsOf(references, below.collection.record)?.properties ?? new Map<string, Placed>();
  const isElement = (name: string): boolean => {
    const schema = properties.get(name);
    return schema !== undefined && elementSchema(references, schema) !== undefined;
  };
  const field = findAlike(properties.keys(), noun) ?? findAlike(properties.keys(), `${noun}s`, isElement);
  const schema = field === undefined ? undefined : properties.get(field);
  if (field === undefined || !schema || field === below.collection.idKey) return undefined;
  const element = elementSchema(references, schema);
  if (element && schemaFields(references, element)) return undefined;
  const isList = element !== undefined;
  const told = verb ?? deedOf(/^\w+/.exec((summary || description).toLowerCase())?.[0] ?? "");
  const usual = method === "DELETE" ? "remove" : method !== "POST" ? "set" : isList ? "add" : undefined;
  const deed = told ?? usual;
  const isPossible = isList || deed === "set" || (deed === "remove" && unset(references, schema) !== undefined);
  return deed && isPossible ? { below, field, schema, isList, deed, isPatch: method === "PATCH" } : undefined;
}

function deedOf(verb: string): Deed | undefined {
  return DEEDS.find(([form]) => form.test(verb))?.[1];
}

/** The value in a body: its property of that name, or the body itself; an object that has other properties is none. */
function valueIn(
  references: References,
  body: Json | undefined,
  { field, schema, isList }: FieldBelow,
): Json | undefined {
  if (!isJsonObject(body)) return body;
  const names = Object.keys(body);
  const name = findAlike(names, field) ?? names.find((one) => isSameNoun(one, field));
  if (name !== undefined) return body[name];
  const known = isList ? undefined : schemaFields(references, schema)?.properties;
  return isMap(references, schema) || names.every((one) => known?.has(one)) ? body : undefined;
}

/** The new value of a field; undefined where it stays. */
function changed(
  references: References,
  held: Json | undefined,
  { sent, deed, isList, schema, isPatch }: FieldBelow & { readonly sent: Json | undefined },
): Json | undefined {
  if (!isList && deed === "remove") return unset(references, schema);
  // `PUT /workspaces/{id}/favorite`
  if (!isList && sent === undefined && isFlag(references, schema)) return true;
  if (!isList) return isPatch && isJsonObject(held) && isJsonObject(sent) ? { ...held, ...sent } : sent;
  if (sent === undefined) return deed === "remove" ? [] : undefined;
  const given = [sent].flat();
  if (deed === "set") return given;
  const own = Array.isArray(held) ? held : [];
  return deed === "add" ? [...own, ...without(given, own)] : without(own, given);
}

function unset(references: References, schema: Placed): Json | undefined {
  return isFlag(references, schema) ? false : isNullable(references, schema) ? null : undefined;
}

function isFlag(references: References, schema: Placed): boolean {
  return typesOf(references, schema).includes("boolean");
}

function without(list: readonly Json[], others: readonly Json[]): Json[] {
  const texts = new Set(others.map((one) => stringifyJson(one)));
  return list.filter((one) => !texts.has(stringifyJson(one)));
}
