import { isJsonObject, type Json, type JsonObject, setField } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import { shapeOf, type TextShape } from "../../../openapi/check/text-shape.ts";
import { type Placed, partsOf, type References } from "../../../schema/references.ts";
import { once } from "../once.ts";
import type { OperationContext } from "../operation-context.ts";
import { isNullable, keyword, recordFieldsOf, schemaFields } from "../schema-fields.ts";
import { withHeld } from "./fit-value.ts";
import { isJsonApi, sentHolder } from "./sent-holder.ts";

interface SentValue {
  readonly given: Json;
  readonly held: Json | undefined;
  /** Forms cannot send null: an empty text stands for it. */
  readonly isForm: boolean;
}

/** How the fields of a request are stored. */
export interface SentFieldRules {
  /** The value to store; undefined where the field is removed. */
  stored(name: string, value: SentValue): Json | undefined;
  /** A sent object with the members of the stored one that requests cannot have. */
  whole(name: string, given: Json, held: Json | undefined): Json;
}

interface Rule {
  /** An object of any names: its members are merged with those that are there. */
  readonly isMap: boolean;
  /** Whether it has the fields of records, of which a request names those that change: `attributes` in JSON:API. */
  readonly hasFields: boolean;
  /** The members of an object that its request cannot have. */
  readonly kept: readonly string[];
  /** Whether records cannot have null in the field, although it may be sent. */
  readonly isNeverNull: boolean;
  readonly isRequired: boolean;
  /** Whether the request's schema names the empty text beside other values: it unsets the field. */
  readonly isUnsetByText: boolean;
  /** The value of an unset field; undefined where it is removed. */
  readonly unset: Json | undefined;
}

/** Reads the rules for the fields of a collection's records, at the first write. */
export function createSentFields(
  { document: { references }, passes }: Pick<OperationContext, "document" | "passes">,
  { record }: BoundCollection,
  { requestContent, requestAt, operation }: BoundOperation,
): SentFieldRules {
  const rules = once((): ReadonlyMap<string, Rule> => {
    const fields = recordFieldsOf(references, record);
    const sent = requestAt.reduce(
      (shape: Placed | undefined, name) => shape && schemaFields(references, shape)?.properties.get(name),
      requestContent?.schema,
    );
    const properties = sent && schemaFields(references, sent)?.properties;
    const isReplaced = (name: string): boolean =>
      isToldReplaced(references, { name, schema: properties?.get(name), operation });
    const isUnsetByText = (name: string): boolean => {
      const schema = properties?.get(name);
      return schema !== undefined && allowsEmptyText(references, schema);
    };
    const parts = isJsonApi(fields)
      ? ["attributes", "relationships"]
      : [sentHolder(references, fields, { fields: sent && schemaFields(references, sent), schema: sent })];
    return new Map(
      [...(fields?.properties ?? [])].flatMap(([name, schema]): [string, Rule][] => {
        const shape = shapeOf(schema, references);
        const rule = {
          isMap: isMap(references, schema, shape) && !isReplaced(name),
          hasFields: parts.includes(name),
          kept: keptMembers(references, schema, properties?.get(name)),
          isUnsetByText: isUnsetByText(name),
          isNeverNull: !isNullable(references, schema) && !passes(schema, null),
          isRequired: fields?.required.has(name) ?? false,
        };
        const isPlain = !rule.isMap && !rule.hasFields && !rule.isUnsetByText && !rule.isNeverNull;
        if (isPlain && rule.kept.length === 0) return [];
        const list = shape.types.has("array") && passes(schema, []) ? [] : undefined;
        const unset = rule.isMap ? {} : shape.types.has("null") ? null : list;
        return [[name, { ...rule, unset }]];
      }),
    );
  });
  const whole = (name: string, given: Json, held: Json | undefined): Json =>
    isJsonObject(given) && isJsonObject(held) ? withHeld(given, held, rules().get(name)?.kept) : given;
  return {
    whole,
    stored(name, { given, held, isForm }) {
      const rule = rules().get(name);
      if (!rule) return whole(name, given, held);
      if (given === null && rule.isNeverNull) return rule.isRequired ? held : undefined;
      if (given === "" && rule.isUnsetByText) return rule.unset;
      if (rule.hasFields && isJsonObject(given) && isJsonObject(held)) return { ...held, ...withHeld(given, held) };
      if (!rule.isMap || !isJsonObject(given)) return whole(name, given, held);
      return mergedMap(isJsonObject(held) ? held : {}, given, isForm || rule.isUnsetByText);
    },
  };
}

/** The members of a record's object that requests do not describe, or may only read. */
function keptMembers(references: References, schema: Placed, sent: Placed | undefined): string[] {
  const [own, given] = [schema, sent].map((one) => one && schemaFields(references, one)?.properties);
  if (!own || !given) return [];
  const isSendable = (name: string): boolean => {
    const key = findAlike(given.keys(), name);
    const allowed = key === undefined ? undefined : given.get(key);
    return allowed !== undefined && keyword(references, allowed, "readOnly") !== true;
  };
  return [...own.keys()].filter((name) => !isSendable(name));
}

function mergedMap(held: JsonObject, given: JsonObject, isUnsetByText: boolean): JsonObject {
  const value = { ...held };
  for (const [key, one] of Object.entries(given)) {
    if (one === null || (one === "" && isUnsetByText)) delete value[key];
    else setField(value, key, one);
  }
  return value;
}

function isMap(references: References, schema: Placed, { types, properties }: TextShape): boolean {
  if (!types.has("object") || types.has("array") || properties.size > 0) return false;
  return partsOf(schema, references, ["allOf", "oneOf", "anyOf"]).some(
    ({ value: { additionalProperties: others } }) => others === true || isJsonObject(others),
  );
}

/** "the current set of labels will be replaced" */
function isToldReplaced(
  references: References,
  {
    name,
    schema,
    operation,
  }: { readonly name: string; readonly schema: Placed | undefined; readonly operation: BoundOperation["operation"] },
): boolean {
  const of = String(schema && keyword(references, schema, "description"));
  const { description = "" } = operation;
  const told = description.split(/\W+/).includes(name) ? description : "";
  return [of, told].some((text) => /\b(?:will be|are|is) (?:replaced|overwritten)\b/i.test(text));
}

function allowsEmptyText(references: References, schema: Placed): boolean {
  return partsOf(schema, references, ["oneOf", "anyOf"]).some(
    ({ value }) => Array.isArray(value.enum) && value.enum.length === 1 && value.enum[0] === "",
  );
}
