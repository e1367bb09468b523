import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { findAlike, isSameNoun, wordsIn } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { createActionEffect } from "../actions/action-effect.ts";
import type { OperationContext } from "../operation-context.ts";
import { branchesOf, elementSchema, recordFieldsOf, typesOf } from "../schema-fields.ts";
import { fitValue } from "./fit-value.ts";
import { requestFields } from "./record-mapping.ts";

/** Names of lists of changes, and of the field that says what one of them does. */
const LISTS = ["actions", "operations", "commands", "updateActions"];
const DEEDS = ["action", "operation", "command", "type"];

const SETS = ["set", "change", "update", "replace", "assign"];
const ADDS = ["add", "append", "insert"];
const REMOVES = ["remove", "delete", "unassign"];

type Tools = Pick<OperationContext, "document" | "passes" | "sample" | "now">;

/** Applies the changes that a request lists to a record. */
export type UpdateActions = (held: JsonObject, sent: JsonObject) => JsonObject;

/**
 * Prepares requests that list changes instead of fields: `{ "actions": [{ "action": "setName", "name": "Desk" }] }`.
 * Undefined where the requests of an operation are no such lists.
 */
export function createUpdateActions(
  tools: Tools,
  { record }: BoundCollection,
  bound: BoundOperation,
): UpdateActions | undefined {
  const { references } = tools.document;
  const sent = requestFields(references, bound)?.properties ?? new Map<string, Placed>();
  const fields = recordFieldsOf(references, record)?.properties;
  const list = LISTS.flatMap((name) => findAlike(sent.keys(), name) ?? [])[0];
  if (list === undefined || !fields || findAlike(fields.keys(), list) !== undefined) return undefined;
  const deed = deedOf(references, sent.get(list));
  if (deed === undefined) return undefined;
  // A version that requests must name counts the changes.
  const version = findAlike(fields.keys(), "version", (name) => isWhole(references, fields.get(name)));
  const isCounted = version !== undefined && sent.has(version);
  return (held, body) => {
    const { [list]: actions, ...rest } = body;
    let value: JsonObject = { ...held, ...rest };
    for (const action of Array.isArray(actions) ? actions : []) {
      if (isJsonObject(action)) value = applied(tools, { record, fields, deed }, { value, action });
    }
    return isCounted && typeof held[version] === "number" ? { ...value, [version]: held[version] + 1 } : value;
  };
}

/** The field of a change that says what it does; undefined where a list holds no changes. */
function deedOf(references: References, list: Placed | undefined): string | undefined {
  const element = list && elementSchema(references, list);
  if (!element) return undefined;
  const names = branchesOf(references, element).flatMap((branch) => [
    ...(recordFieldsOf(references, branch)?.properties.keys() ?? []),
  ]);
  return DEEDS.flatMap((name) => findAlike(names, name) ?? [])[0];
}

function isWhole(references: References, schema: Placed | undefined): boolean {
  return schema !== undefined && typesOf(references, schema).some((type) => type === "integer" || type === "number");
}

interface Known {
  readonly record: Placed;
  readonly fields: ReadonlyMap<string, Placed>;
  readonly deed: string;
}

interface Step {
  readonly value: JsonObject;
  readonly action: JsonObject;
}

function applied(tools: Tools, { record, fields, deed }: Known, { value, action }: Step): JsonObject {
  const { references } = tools.document;
  const { [deed]: name, ...given } = action;
  const [verb = "", ...words] = wordsIn(String(name));
  const noun = words.join("");
  const ofLists = [...fields].filter(([, schema]) => elementSchema(references, schema) !== undefined);
  const list = findList(
    ofLists.map(([field]) => field),
    words,
  );
  const fitted = (field: string, sent: Json): Json => {
    const schema = fields.get(field);
    return (schema && fitValue(schema, sent, { ...tools, references })) ?? sent;
  };
  if (ADDS.includes(verb) && list !== undefined) {
    const held = Array.isArray(value[list]) ? value[list] : [];
    const added = fitted(list, [ownValue(given, noun) ?? onlyObject(given) ?? given]);
    return { ...value, [list]: [...held, ...[added].flat()] };
  }
  if (REMOVES.includes(verb) && list !== undefined) {
    const held = Array.isArray(value[list]) ? value[list] : [];
    return { ...value, [list]: held.filter((one) => !isMeant(one, given, noun)) };
  }
  const field = SETS.includes(verb) ? findAlike(fields.keys(), noun) : undefined;
  if (field !== undefined) {
    const next = ownValue(given, noun) ?? Object.values(given)[0];
    if (next !== undefined && next !== null) return { ...value, [field]: fitted(field, next) };
    const { [field]: _, ...rest } = value;
    return rest;
  }
  const changed = { ...value, ...createActionEffect(references, record, { name: String(name), now: tools.now })() };
  for (const [key, sent] of Object.entries(given)) {
    const target = findAlike(fields.keys(), key);
    if (target !== undefined && target !== "id") changed[target] = fitted(target, sent);
  }
  return changed;
}

/** The list that a name speaks of: `tiers` of `PriceTier`. */
function findList(lists: readonly string[], words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const found = lists.find((name) => isSameNoun(name, words.slice(at).join("")));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value that a change has under the name of what it changes. */
function ownValue(given: JsonObject, noun: string): Json | undefined {
  const key = findAlike(Object.keys(given), noun);
  return key === undefined ? undefined : given[key];
}

/** The object that a change holds beside nothing else: `{ "tier": { ... } }`. */
function onlyObject(given: JsonObject): Json | undefined {
  const [first, ...others] = Object.values(given);
  return isJsonObject(first) && others.length === 0 ? first : undefined;
}

/** Whether a change names an element of a list: by its id or key, or as a whole. */
function isMeant(element: Json, given: JsonObject, noun: string): boolean {
  const whole = ownValue(given, noun);
  if (whole !== undefined && JSON.stringify(whole) === JSON.stringify(element)) return true;
  if (!isJsonObject(element)) return Object.values(given).includes(element);
  return Object.entries(given).some(([name, value]) => {
    const last = wordsIn(name).at(-1) ?? "";
    const key = findAlike(Object.keys(element), name) ?? findAlike(Object.keys(element), last);
    return key !== undefined && typeof value !== "object" && element[key] === value;
  });
}
