import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { branchesOf, elementSchema, isNullable, keyword, recordFieldsOf, schemaFields } from "../schema-fields.ts";
import { listObject, listPropertyOf } from "../writes/list-object.ts";
import { isNumberOf } from "./first-value.ts";
import { isNotYet, timeWriter } from "./time-fields.ts";

/** Fields that a server gives every new record, although they may be null. */
const ALWAYS = /(?:^|_|[a-z](?=[A-Z]))(?:secret|ur[il]|href|number|slug|token|etag|fingerprint|sid|object)$/i;

const BIRTHS = /^(?:date_?)?(?:created|updated|modified)/i;

/** Whether a server gives each record a value of its own in a field, unless a client sends one. */
export function isOfServer(name: string): boolean {
  return ALWAYS.test(name);
}

/** Whether a field begins anew with each record, also with one that is made of another. */
export function beginsAnew(name: string): boolean {
  return BIRTHS.test(name) || OF_STATES.test(name) || isNotYet(name) || name === "slug";
}

/** Names of fields that lead through the life of a record. */
export const OF_STATES = /^(?:status|state)$/i;

/** The value of a new record in a field that was not sent, and may be null or missing. */
export type Absence = "made" | "null" | "missing";

/** Decides what a new record has in a field that only the server sets; `isRequired` where it must be there. */
export function absenceOf(
  references: References,
  { name, schema, isRequired }: { readonly name: string; readonly schema: Placed; readonly isRequired: boolean },
): Absence {
  const mayBeNull = isNullable(references, schema);
  if (isNotYet(name)) return mayBeNull ? "null" : isRequired ? "made" : "missing";
  if (!mayBeNull || ALWAYS.test(name)) return "made";
  const isKnown = ["enum", "const", "example", "examples"].some(
    (one) => keyword(references, schema, one) !== undefined,
  );
  const isScalar = !schemaFields(references, schema) && !elementSchema(references, schema);
  const isBirth = BIRTHS.test(name) && timeWriter(references, schema) !== undefined;
  return isScalar && (isKnown || isBirth) ? "made" : "null";
}

const CHOOSERS = ["type", "kind"];

/**
 * The field that decides which of several objects a record has: a payment method of the type `card` has `card`, and
 * none of the others that `type` names.
 */
export function chooserOf(
  references: References,
  properties: ReadonlyMap<string, Placed>,
  name: string,
): string | undefined {
  for (const field of CHOOSERS) {
    const schema = field === name ? undefined : properties.get(field);
    const values = schema && keyword(references, schema, "enum");
    if (Array.isArray(values) && values.some((one) => typeof one === "string" && plainName(one) === plainName(name))) {
      return field;
    }
  }
  return undefined;
}

/** A made record without the parts of other types than its own. */
export function withChosen(references: References, schema: Placed, record: JsonObject): JsonObject {
  const { properties = new Map<string, Placed>(), required = new Set<string>() } =
    recordFieldsOf(references, schema) ?? {};
  const chooserFor = (name: string): string | undefined =>
    isJsonObject(record[name]) ? chooserOf(references, properties, name) : undefined;
  const value = { ...record };
  // A payment that always has a `bank_billet` is of that kind.
  for (const name of required) {
    const chooser = chooserFor(name);
    const schema = chooser === undefined ? undefined : properties.get(chooser);
    const texts = [(schema && keyword(references, schema, "enum")) ?? []].flat();
    const own = texts.find((one) => plainName(String(one)) === plainName(name));
    if (chooser !== undefined && own !== undefined) value[chooser] = own;
  }
  const entries = Object.entries(value).filter(([name]) => {
    const chooser = chooserFor(name);
    return chooser === undefined || plainName(String(value[chooser])) === plainName(name);
  });
  return Object.fromEntries(entries);
}

/**
 * The value of `type` or `kind` that a record has by its other fields: a price with `recurring` is of that type, and one
 * without it is of the other.
 */
export function chosenBy(
  references: References,
  { name, schema, properties }: { name: string; schema: Placed; properties: ReadonlyMap<string, Placed> },
  given: JsonObject,
) {
  const values = CHOOSERS.includes(name) ? keyword(references, schema, "enum") : undefined;
  if (!Array.isArray(values)) return undefined;
  const held = Object.keys(given).filter((key) => isJsonObject(given[key]));
  const texts = values.filter((one) => typeof one === "string");
  const named = texts.find((one) => held.some((key) => plainName(key) === plainName(one)));
  if (named !== undefined) return named;
  const isObject = (one: Placed): boolean => schemaFields(references, one) !== undefined;
  const parts = [...properties].filter(([, property]) => branchesOf(references, property).some(isObject));
  const others = texts.filter((one) => parts.every(([key]) => plainName(key) !== plainName(one)));
  return others.length < texts.length ? others[0] : undefined;
}

/** A new record has nothing in the lists that only the server fills, except one of its own parts. */
export function emptied(references: References, schema: Placed, made: Json): Json {
  if (Array.isArray(made)) {
    const element = isOwnPart(references, schema) ? elementSchema(references, schema) : undefined;
    return element ? made.slice(0, 1).map((one) => withFirstChoices(references, element, one)) : [];
  }
  if (!isJsonObject(made)) return made;
  const around = branchesOf(references, schema).find((one) => listPropertyOf(references, one));
  return around
    ? listObject(references, around, { around: made, values: [] })
    : withoutCounts(references, schema, made);
}

/** Documents name the usual value of a choice first. */
function withFirstChoices(references: References, schema: Placed, made: Json): Json {
  const properties = schemaFields(references, schema)?.properties;
  if (!isJsonObject(made) || !properties) return made;
  const entries = Object.entries(made).map(([name, value]): [string, Json] => {
    const property = properties.get(name);
    const choices = property && keyword(references, property, "enum");
    return [name, Array.isArray(choices) && choices.includes(value) ? (choices[0] ?? value) : value];
  });
  return Object.fromEntries(entries);
}

/** "An array of content items generated by the model": the server has made them by the time it responds. */
export function isGenerated(references: References, schema: Placed): boolean {
  return /\b(?:generated|produced) by\b/i.test(String(keyword(references, schema, "description") ?? ""));
}

/** `{ "done": 0 }`, where `done` is described as a count. */
function withoutCounts(references: References, schema: Placed, made: JsonObject): JsonObject {
  const properties = schemaFields(references, schema)?.properties;
  const entries = Object.entries(made).map(([name, value]): [string, Json] => {
    const property = typeof value === "number" ? properties?.get(name) : undefined;
    return [name, property && isNumberOf(references, { name, schema: property }) ? 0 : value];
  });
  return Object.fromEntries(entries);
}

/** Objects that are described where they stand, such as the choices of a completion, are no records of their own. */
function isOwnPart(references: References, schema: Placed): boolean {
  const element = elementSchema(references, schema);
  return element !== undefined && isJsonObject(element.value) && isJsonObject(element.value.properties);
}
