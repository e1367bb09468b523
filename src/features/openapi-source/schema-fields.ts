import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import { type Placed, partsOf, type References } from "../../schema/references.ts";

/** The properties of an object's schema, those of its parts (`allOf`) included. */
export interface SchemaFields {
  readonly properties: ReadonlyMap<string, Placed>;
  readonly required: ReadonlySet<string>;
  /** Whether other fields are described or chosen elsewhere, so that they belong to the object. */
  readonly isOpen: boolean;
  /** Whether other fields are forbidden. */
  readonly isClosed: boolean;
}

/** Reads the properties of a schema; undefined where it has none. */
export function schemaFields(references: References, schema: Placed): SchemaFields | undefined {
  const properties = new Map<string, Placed>();
  const required = new Set<string>();
  let isOpen = false;
  let isClosed = false;
  for (const { value, place } of partsOf(schema, references)) {
    for (const [name, property] of Object.entries(isJsonObject(value.properties) ? value.properties : {})) {
      const known = properties.get(name);
      if (known && !(isBare(known.value) && !isBare(property))) continue;
      properties.set(name, { value: property, place: within(`${place}/properties`, name) });
    }
    if (Array.isArray(value.required)) for (const name of value.required) required.add(String(name));
    const { additionalProperties: others } = value;
    if (others === true || isJsonObject(others) || isJsonObject(value.patternProperties)) isOpen = true;
    if (others === false || value.unevaluatedProperties === false) isClosed = true;
    if (
      value.discriminator !== undefined ||
      Array.isArray(value.oneOf) ||
      Array.isArray(value.anyOf) ||
      value.if !== undefined
    )
      isOpen = true;
  }
  return properties.size > 0 ? { properties, required, isOpen, isClosed } : undefined;
}

/** Keywords that tell more of a value than its type. */
const TELLING = ["$ref", "allOf", "oneOf", "anyOf", "properties", "additionalProperties", "enum", "const", "format"];

/** Whether a schema leaves to another part what is in its values: `{ "type": "object" }`. */
function isBare(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return true;
  return TELLING.every((name) => schema[name] === undefined) && isBare(schema.items);
}

/** The alternatives of a schema (`oneOf`, `anyOf`) or of its only part, null left out; itself where it has none. */
export function branchesOf(references: References, schema: Placed, depth = 0): Placed[] {
  const resolved = references.follow(schema);
  const { value, place } = resolved;
  if (!isJsonObject(value)) return [];
  const branches = ["oneOf", "anyOf"].flatMap((name) =>
    (Array.isArray(value[name]) ? value[name] : []).flatMap((part, position): Placed[] =>
      isNull(part) ? [] : [references.follow({ value: part, place: `${place}/${name}/${position}` })],
    ),
  );
  if (branches.length > 0) return branches;
  // A description beside a reference is often written so: `allOf` with nothing but the reference.
  const [part, ...others] = Array.isArray(value.allOf) ? value.allOf : [];
  const isOnly = part !== undefined && others.length === 0 && value.properties === undefined && depth < MAX_DEPTH;
  const inner = isOnly ? branchesOf(references, { value: part, place: `${place}/allOf/0` }, depth + 1) : [];
  return inner.length > 1 ? inner : [resolved];
}

/** Alternatives of alternatives. */
const MAX_DEPTH = 4;

/** The alternatives of a schema, and theirs; itself where it has none. */
export function leavesOf(references: References, schema: Placed, depth = 0): Placed[] {
  const own = references.follow(schema);
  const branches = branchesOf(references, own);
  const isLeaf = branches.every(({ place }) => place === own.place);
  return isLeaf || depth > MAX_DEPTH ? [own] : branches.flatMap((branch) => leavesOf(references, branch, depth + 1));
}

/** Of several alternatives, the first that has a property; the schema itself where it has it, or where none has. */
export function alternativeWith(references: References, schema: Placed, name: string): Placed {
  const hasIt = (one: Placed): boolean => schemaFields(references, one)?.properties.has(name) ?? false;
  return hasIt(schema) ? schema : (leavesOf(references, schema).find(hasIt) ?? schema);
}

/** The properties of records that may have one of several schemas: those of all of them. */
export function recordFieldsOf(references: References, schema: Placed): SchemaFields | undefined {
  const own = schemaFields(references, schema);
  const branches = branchesOf(references, schema).flatMap((one) => schemaFields(references, one) ?? []);
  const [first] = branches;
  if (!first || (own && branches.length === 1)) return own ?? first;
  const shared = [...first.required].filter((name) => branches.every(({ required }) => required.has(name)));
  return {
    properties: new Map([
      ...branches.flatMap(({ properties }) => [...properties]).toReversed(),
      ...(own?.properties ?? []),
    ]),
    required: new Set([...(own?.required ?? []), ...shared]),
    isOpen: true,
    isClosed: own?.isClosed ?? false,
  };
}

/** The schema of a property as it stands, then as its reference leads to, and the parts that both are made of. */
export function* schemaParts(references: References, schema: Placed): Generator<JsonObject> {
  const { value } = schema;
  if (isJsonObject(value)) yield value;
  const resolved = references.resolve(schema);
  if (!isJsonObject(resolved.value)) return;
  if (resolved.value !== value) yield resolved.value;
  for (const name of ["allOf", "anyOf", "oneOf"]) {
    const parts = Array.isArray(resolved.value[name]) ? resolved.value[name] : [];
    const [part, ...others] = [...parts.entries()].filter(([, one]) => !isNull(one));
    if (part && others.length === 0) {
      yield* schemaParts(references, { value: part[1], place: `${resolved.place}/${name}/${part[0]}` });
    }
  }
}

/** `{ "type": "null" }`: the other of two alternatives is what a value is if there is one. */
function isNull(schema: Json): boolean {
  return isJsonObject(schema) && schema.type === "null";
}

/** Whether a value may be null. Beside a reference, `nullable` means nothing in any version of OpenAPI. */
export function isNullable(references: References, schema: Placed): boolean {
  for (const part of schemaParts(references, schema)) {
    const isSaid = part.nullable === true && part.$ref === undefined;
    if (isSaid || [part.type].flat().includes("null")) return true;
    const some = [part.anyOf, part.oneOf].flatMap((parts) => (Array.isArray(parts) ? parts : []));
    if (some.some(isNull) || (Array.isArray(part.enum) && part.enum.includes(null))) return true;
  }
  return false;
}

/** The first value of a keyword: beside a reference, or where that leads. */
export function keyword(references: References, schema: Placed, name: string): Json | undefined {
  for (const part of schemaParts(references, schema)) if (part[name] !== undefined) return part[name];
  return undefined;
}

/** The types that a schema or its parts name; `null` left out. */
export function typesOf(references: References, schema: Placed): readonly string[] {
  const own = keyword(references, schema, "type");
  const parts = own === undefined ? partsOf(schema, references, ["allOf", "anyOf", "oneOf"]) : [];
  const types = own === undefined ? parts.map(({ value }) => value.type ?? []) : [own];
  return [...new Set(types.flat())].filter((one): one is string => typeof one === "string" && one !== "null");
}

/** The schema of a list's elements; undefined where the schema is of something else. */
export function elementSchema(references: References, schema: Placed): Placed | undefined {
  const resolved = references.resolve(schema);
  if (!isJsonObject(resolved.value) || resolved.value.items === undefined) return undefined;
  return { value: resolved.value.items, place: `${resolved.place}/items` };
}

/** The schema of the members of an object with any names; undefined where the schema is of something else. */
export function memberSchema(references: References, schema: Placed): Placed | undefined {
  const { value, place } = references.resolve(schema);
  if (!isJsonObject(value) || !isJsonObject(value.additionalProperties)) return undefined;
  return { value: value.additionalProperties, place: `${place}/additionalProperties` };
}

/** Whether the members of a map are objects with properties. */
export function hasMembers(references: References, schema: Placed): boolean {
  return branchesOf(references, schema).some((branch) => {
    const member = memberSchema(references, branch);
    return member !== undefined && branchesOf(references, member).some((one) => schemaFields(references, one));
  });
}

/** Whether a value is an object of any names. */
export function isMap(references: References, schema: Placed): boolean {
  return branchesOf(references, schema).every(
    (branch) => typesOf(references, branch).includes("object") && !schemaFields(references, branch),
  );
}
