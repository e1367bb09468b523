import { cloneJson, isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import { FIRST_MILLISECOND } from "../../../openapi/sample/time-unit.ts";
import type { Placed, References } from "../../../schema/references.ts";
import {
  branchesOf,
  elementSchema,
  isNullable,
  keyword,
  memberSchema,
  schemaFields,
  typesOf,
} from "../schema-fields.ts";
import type { MakeSample } from "../seeds/sampling.ts";
import { isNotYet, namedTimeWriter, OF_CHANGES, OF_CREATION, timeWriter } from "../seeds/time-fields.ts";
import { listObject, listPropertyOf } from "./list-object.ts";

export interface Fitting {
  readonly references: References;
  readonly sample: MakeSample;
  passes(schema: Placed, value: Json): boolean;
  /** Told of each object that was made for an id: the record of that id may take its place. */
  madeFor?(schema: Placed, id: Json, put: (record: Json) => void): void;
  /** The field with the ids of a collection's records, of their schema. */
  idKeyOf?(schema: Placed): string | undefined;
  /** Tells records of a collection apart that are made for equal values. */
  saltFor?(schema: Placed): string;
  /** For the times of parts that are made with a record. */
  now?(): number;
  /** How deep it is in the value that was sent. */
  readonly depth?: number;
  /** The value that an example of the record has in its place. */
  readonly shown?: Json | undefined;
}

/** Fields of an object that a single text or number may stand for, the likeliest first. */
const OF_TEXTS = [
  "id",
  "gid",
  "uuid",
  "sid",
  "value",
  "text",
  "content",
  "ref",
  "name",
  "login",
  "key",
  "code",
  "slug",
  "title",
  "label",
];
/** Those of them that a thing may have several of. */
const HANDLES = ["name", "login", "key", "code", "slug", "title", "label"];
const OF_NUMBERS = ["value", "amount", "number", "id"];
const MAX_DEPTH = 6;
/**
 * A value that was sent, in the form that its schema in the response has: lists in their list objects, texts as the parts
 * they stand for, objects with the fields that only the server knows. Undefined where it cannot have that form.
 */
export function fitValue(schema: Placed, value: Json, fitting: Fitting): Json | undefined {
  const { references, passes, depth = 0, shown } = fitting;
  if (depth > MAX_DEPTH) return undefined;
  const all = branchesOf(references, schema);
  const meant = all.filter((branch) => !isOfOtherKind(references, branch, value));
  const branches = meant.length > 0 ? meant : all;
  // A label may be a text or an object: the example tells which one records have.
  const ofObjects = isJsonObject(shown) ? branches.filter((branch) => schemaFields(references, branch)) : [];
  for (const branch of branches) {
    if (isJsonObject(value) || Array.isArray(value) || ofObjects.length > 0) break;
    if (passes(branch, value)) return value;
  }
  for (const branch of new Set([...ofObjects, ...branches])) {
    const made = fitInto(branch, value, { ...fitting, depth: depth + 1 });
    if (made !== undefined && passes(branch, made)) return made;
  }
  return passes(schema, value) ? value : undefined;
}

/** Whether a text that was sent is none of those that an alternative allows: its `type` tells which one is meant. */
function isOfOtherKind(references: References, branch: Placed, value: Json): boolean {
  const properties = isJsonObject(value) ? schemaFields(references, branch)?.properties : undefined;
  return [...(properties ?? [])].some(([name, property]) => {
    const sent = (value as JsonObject)[name];
    const allowed = keyword(references, property, "enum") ?? [keyword(references, property, "const") ?? sent ?? null];
    return typeof sent === "string" && Array.isArray(allowed) && !allowed.includes(sent);
  });
}

function fitInto(schema: Placed, value: Json, fitting: Fitting): Json | undefined {
  const { references } = fitting;
  const element = elementSchema(references, schema);
  if (element) return fitList(element, Array.isArray(value) ? value : [value], fitting);
  const member = memberSchema(references, schema);
  if (!schemaFields(references, schema)) {
    return member && isJsonObject(value) ? fitMembers(member, value, fitting) : fitScalar(schema, value, fitting);
  }
  if (isJsonObject(value)) return fitObject(schema, value, fitting);
  if (Array.isArray(value)) return fitListObject(schema, value, fitting);
  return value === null ? undefined : objectFor(schema, value, fitting);
}

function fitList(element: Placed, values: readonly Json[], fitting: Fitting): Json | undefined {
  const shown = Array.isArray(fitting.shown) ? fitting.shown[0] : undefined;
  const fitted = values.map((one) => fitValue(element, one, { ...fitting, shown }));
  return fitted.every((one) => one !== undefined) ? fitted : undefined;
}

function fitMembers(member: Placed, value: JsonObject, fitting: Fitting): JsonObject | undefined {
  const { shown } = fitting;
  const members = Object.entries(value).map(([name, one]) => {
    const fitted = fitValue(member, one, { ...fitting, shown: isJsonObject(shown) ? shown[name] : undefined });
    return [name, fitted] as const;
  });
  return members.every(([, one]) => one !== undefined) ? (Object.fromEntries(members) as JsonObject) : undefined;
}

/** `{ "object": "list", "data": [...] }` around a list. */
function fitListObject(schema: Placed, values: readonly Json[], fitting: Fitting): Json | undefined {
  const list = listPropertyOf(fitting.references, schema);
  const fitted = list && fitList(list.element, values, fitting);
  if (!Array.isArray(fitted)) return undefined;
  return listObject(fitting.references, schema, {
    around: skeleton(schema, fitting, { purpose: [...values] }),
    values: fitted,
  });
}

/** The fields that were sent, by names that may be spelt differently, and those that only the server sets. */
function fitObject(schema: Placed, value: JsonObject, fitting: Fitting): JsonObject | undefined {
  const { references } = fitting;
  const { properties, isOpen } = schemaFields(references, schema)!;
  const object: JsonObject = {};
  for (const [name, sent] of Object.entries(value)) {
    const target = findAlike(properties.keys(), name);
    const property = target === undefined ? undefined : properties.get(target);
    const shown = isJsonObject(fitting.shown) ? fitting.shown[target ?? name] : undefined;
    const fitted = property ? fitValue(property, sent, { ...fitting, shown }) : isOpen ? sent : undefined;
    if (fitted !== undefined) object[target ?? name] = fitted;
  }
  if (Object.keys(object).length === 0 && Object.keys(value).length > 0) {
    const inner = fitInner(properties, value, fitting);
    if (inner) return withMade(skeleton(schema, fitting, { purpose: value, held: inner }), inner);
  }
  return withMade(skeleton(schema, fitting, { purpose: value, held: object }), object);
}

/** The names of the members that were made for an object, which no request sent. */
const MADE = new WeakMap<JsonObject, readonly string[]>();

function withMade(made: JsonObject, sent: JsonObject): JsonObject {
  const object = { ...made, ...sent };
  MADE.set(object, Object.keys(made));
  return object;
}

/** A changed object with the members that it has in place of those that were made for it. */
export function withHeld(given: JsonObject, held: JsonObject, others: readonly string[] = []): JsonObject {
  const names = [...(MADE.get(given) ?? []), ...others.filter((name) => !Object.hasOwn(given, name))];
  return { ...given, ...Object.fromEntries(Object.entries(held).filter(([name]) => names.includes(name))) };
}

/** An object that has nothing in common with its schema, but with a part of it: `{ "id": 1 }` as `{ "owner": { "id": 1 } }`. */
function fitInner(
  properties: ReadonlyMap<string, Placed>,
  value: JsonObject,
  fitting: Fitting,
): JsonObject | undefined {
  for (const [name, property] of properties) {
    const known = schemaFields(fitting.references, property)?.properties;
    if (!known || Object.keys(value).some((key) => findAlike(known.keys(), key) === undefined)) continue;
    const fitted = fitValue(property, value, { ...fitting, shown: undefined });
    if (fitted !== undefined) return { [name]: fitted };
  }
  return undefined;
}

/** An object in which a single value stands where such values stand usually. */
function objectFor(schema: Placed, value: Json, fitting: Fitting): JsonObject | undefined {
  const { references } = fitting;
  const { properties, required } = schemaFields(references, schema)!;
  const texts = typeof value === "string" && value.includes("/") ? ["full_name", "fullName", ...OF_TEXTS] : OF_TEXTS;
  // A user must have a `login`, and may have a `name`.
  const isSure = (name: string): boolean => !HANDLES.includes(name) || required.has(name);
  const names = [...texts.filter(isSure), ...texts.filter((name) => !isSure(name))];
  const idKey = fitting.idKeyOf?.(schema) ?? "id";
  for (const name of [...(typeof value === "number" ? OF_NUMBERS : names), idKey]) {
    const property = properties.get(name);
    const values = property && keyword(references, property, "enum");
    if (!property || (Array.isArray(values) && !values.includes(value))) continue;
    const isInner = schemaFields(references, property) !== undefined;
    const fitted = isInner && name === idKey ? undefined : fitValue(property, value, { ...fitting, shown: undefined });
    if (fitted === undefined || (!isInner && fitted !== value)) continue;
    const object = { ...skeleton(schema, fitting, { purpose: value }), [name]: fitted };
    if (name === idKey) fitting.madeFor?.(schema, value, (record) => Object.assign(object, record));
    return object;
  }
  return undefined;
}

/** The fields of an object that must be there or that only the server sets; lists are empty where they may be. */
function skeleton(
  schema: Placed,
  { references, sample, passes, saltFor, now }: Fitting,
  { purpose, held = {} }: { readonly purpose: Json; readonly held?: JsonObject },
): JsonObject {
  const { properties, required } = schemaFields(references, schema)!;
  const object: JsonObject = {};
  let made: Json | undefined;
  for (const [name, property] of properties) {
    const isOfServer = keyword(references, property, "readOnly") === true;
    if (Object.hasOwn(held, name) || !(isOfServer || required.has(name))) continue;
    if (isNotYet(name) && !required.has(name)) continue;
    const usual = keyword(references, property, "default");
    const time =
      now && (OF_CREATION.test(name) || OF_CHANGES.test(name))
        ? namedTimeWriter(references, property, name)
        : undefined;
    if (time && now) {
      object[name] = time(now());
      continue;
    }
    made ??= sample(schema, `${schema.place}/${JSON.stringify(purpose)}${saltFor?.(schema) ?? ""}`) ?? {};
    const value = usual ?? (isJsonObject(made) ? made[name] : undefined);
    if (isNullable(references, property) && !isOfServer) object[name] = usual === undefined ? null : cloneJson(usual);
    else if (Array.isArray(value) && passes(property, [])) object[name] = [];
    else if (value !== undefined) object[name] = cloneJson(value);
  }
  return object;
}

/** A text as the number it spells, an object as its id, a time in the form that times have here. */
function fitScalar(schema: Placed, value: Json, { references, passes }: Fitting): Json | undefined {
  const values = keyword(references, schema, "enum");
  if (typeof value === "string" && Array.isArray(values)) {
    return findAlike(
      values.filter((one) => typeof one === "string"),
      value,
    );
  }
  if (isJsonObject(value)) return typeof value.id === "string" || typeof value.id === "number" ? value.id : undefined;
  const time = timeWriter(references, schema);
  const ms = typeof value === "string" && /^\d{4}-\d\d/.test(value) ? Date.parse(value) : value;
  const isTime = typeof ms === "number" && Number.isFinite(ms) && typeof ms !== typesOf(references, schema)[0];
  if (time && isTime && (typeof value === "string" || !passes(schema, value))) {
    return time(typeof value === "number" && ms < FIRST_MILLISECOND ? ms * 1000 : ms);
  }
  const own =
    typeof value === "boolean" ? [String(value), Number(value)].find((one) => passes(schema, one)) : undefined;
  if (own !== undefined) return own;
  const others = [typeof value === "number" ? String(value) : value, Number(value), value === "true", Boolean(value)];
  return others.find((one) => String(one) === String(value) && passes(schema, one));
}
