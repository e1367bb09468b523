import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { JSON_PATCH, MERGE_PATCH, transformFor } from "../../../http/body/patch-types.ts";
import type { ChangeFor } from "../../../http/routes/record.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import { bareType, isJsonType } from "../../../openapi/check/media-types.ts";
import type { References } from "../../../schema/references.ts";
import { createStateTimes } from "../actions/action-effect.ts";
import type { OperationContext } from "../operation-context.ts";
import { recordFieldsOf } from "../schema-fields.ts";
import { requestFields } from "./record-mapping.ts";
import { createSentFields, type SentFieldRules } from "./sent-field-rules.ts";
import { isToldChange, isToldReplacement } from "./told-replacement.ts";
import { createUpdateActions } from "./update-actions.ts";

/** Prepares how a sent record changes the stored one. */
export function createRecordChange(
  tools: Pick<OperationContext, "document" | "passes" | "sample" | "now">,
  collection: BoundCollection,
  bound: BoundOperation,
): ChangeFor {
  const isComplete = isReplacement(collection, bound);
  const isWhole =
    (bound.action === "replace" && isComplete && !isToldChange(bound)) || isToldReplacement(collection, bound);
  const rules = createSentFields(tools, collection, bound);
  const actions = createUpdateActions(tools, collection, bound);
  const isLeft = createKept(tools.document.references, collection, bound);
  // Nothing that responses must have is made up, because a body may leave it out.
  const shown = recordFieldsOf(tools.document.references, collection.record)?.required;
  const kept = isComplete ? isLeft : (name: string) => isLeft(name) || shown?.has(name) === true;
  const keys = keysInParts(bound);
  const stateTimes = createStateTimes(tools.document.references, collection.record, tools.now);
  return (sent, contentType) => {
    const type = bareType(contentType);
    const isPatch = type === MERGE_PATCH || (type === JSON_PATCH && !isJsonObject(sent));
    if (bound.action === "patch" && isPatch) return transformFor(contentType, sent);
    // Servers take a JSON Patch as plain JSON, too, and some write "Replace" for "replace".
    if (bound.action === "patch" && Array.isArray(sent)) return transformFor(JSON_PATCH, sent.map(asPatchOperation));
    if (!isJsonObject(sent)) return undefined;
    const isForm = isFormType(contentType);
    return (current) => {
      const held = isJsonObject(current) ? current : {};
      if (actions) return actions(held, sent);
      const next = isWhole ? replaced(held, sent, { kept, rules }) : merged(held, sent, { rules, isForm });
      return { ...withKeys(next, held, keys), ...stateTimes(held, sent) };
    };
  };
}

/** Whether a replacement leaves a field: its body cannot have it, as that of a new record had. */
function createKept(
  references: References,
  { record }: BoundCollection,
  bound: BoundOperation,
): (name: string) => boolean {
  const [own, sent] = [recordFieldsOf(references, record), requestFields(references, bound)];
  const isExtra = (name: string): boolean =>
    sent !== undefined && own?.properties.has(name) === false && findAlike(sent.properties.keys(), name) === undefined;
  return (name) => bound.kept.includes(name) || isExtra(name);
}

type KeyInPart = readonly [part: string, field: string];

/** The fields of objects by which paths find a record: `metadata.name`, and `metadata.namespace` of a parent. */
function keysInParts({ parents, keys }: BoundOperation): KeyInPart[] {
  const ofParents = parents.flatMap(({ holder, field }): KeyInPart[] =>
    holder === undefined ? [] : [[holder, field]],
  );
  const own = keys.flatMap(({ path: [part = "", field, deeper] }): KeyInPart[] =>
    field === undefined || deeper !== undefined ? [] : [[part, field]],
  );
  return [...ofParents, ...own];
}

/** A change that names no parent leaves the record below the one that it has. */
function withKeys(changed: JsonObject, held: JsonObject, keys: readonly KeyInPart[]): JsonObject {
  let value = changed;
  for (const [part, field] of keys) {
    const [next = {}, was] = [value[part], held[part]];
    if (!isJsonObject(next) || Object.hasOwn(next, field)) continue;
    const key = isJsonObject(was) ? was[field] : undefined;
    if (key !== undefined) value = { ...value, [part]: { ...next, [field]: key } };
  }
  return value;
}

function asPatchOperation(one: Json): Json {
  return isJsonObject(one) && typeof one.op === "string" ? { ...one, op: one.op.toLowerCase() } : one;
}

/** Prepares what is stored of a new record. */
export function createNewRecord(
  tools: Pick<OperationContext, "document" | "passes">,
  collection: BoundCollection,
  bound: BoundOperation,
): (sent: JsonObject, contentType: string | undefined) => JsonObject {
  const rules = createSentFields(tools, collection, bound);
  return (sent, contentType) => merged({}, sent, { rules, isForm: isFormType(contentType) });
}

function isFormType(contentType: string | undefined): boolean {
  return contentType !== undefined && !isJsonType(bareType(contentType));
}

/** A body that may lack what a new record must have only says what to change. */
function isReplacement({ operations }: BoundCollection, { requires }: BoundOperation): boolean {
  const created = operations.find(({ action }) => action === "create")?.requires ?? [];
  return requires.length > 0 && created.every((name) => requires.includes(name));
}

function replaced(
  held: JsonObject,
  sent: JsonObject,
  { kept, rules }: { readonly kept: (name: string) => boolean; readonly rules: SentFieldRules },
): JsonObject {
  const value = { ...sent };
  for (const [name, given] of Object.entries(sent)) {
    const next =
      given === null
        ? rules.stored(name, { given, held: held[name], isForm: false })
        : rules.whole(name, given, held[name]);
    if (next === undefined) delete value[name];
    else value[name] = next;
  }
  for (const [name, was] of Object.entries(held)) if (!Object.hasOwn(sent, name) && kept(name)) value[name] = was;
  return value;
}

function merged(
  held: JsonObject,
  sent: JsonObject,
  { rules, isForm }: { readonly rules: SentFieldRules; readonly isForm: boolean },
): JsonObject {
  const value = { ...held, ...sent };
  for (const [name, given] of Object.entries(sent)) {
    const next = rules.stored(name, { given, held: held[name], isForm });
    if (next === undefined) delete value[name];
    else value[name] = next;
  }
  return value;
}
