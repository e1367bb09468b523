import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { partsOf, schemaReferences } from "../references.ts";
import type { CollectionRules } from "../rules/rules.ts";

/** Keywords that a form has a use for. */
const SHOWN = [
  "enum",
  "title",
  "description",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
] as const;
/** More choices than this are not offered one by one. */
const MAX_CHOICES = 100;
/** Longer texts, all choices of a field together included, are left out: the overview is fetched often. */
const MAX_LENGTH = 4000;

/** A field and what the rules say about it, in the keywords of JSON Schema. */
export type RuledField = JsonObject & { readonly name: string };

/** The fields that the rules of a collection know: those of the schema in its order, then the others that are named. */
export function ruledFields({ schema, unique, references }: CollectionRules): RuledField[] {
  const inside = schemaReferences(schema);
  const partsIn = (value: Json): JsonObject[] => partsOf({ value, place: "#" }, inside).map((part) => part.value);
  const parts = partsIn(schema);
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as string[]) : []));
  const known = new Map<string, JsonObject[]>();
  for (const { properties } of parts) {
    for (const [name, one] of Object.entries(isJsonObject(properties) ? properties : {})) {
      known.set(name, [...(known.get(name) ?? []), ...partsIn(one)]);
    }
  }
  const names = new Set([...known.keys(), ...required, ...unique, ...Object.keys(references)]);
  const targets = new Map(Object.entries(references).map(([name, to]) => [name, { refersTo: to.collection }]));
  return [...names].map((name) => ({
    name,
    ...(required.includes(name) && { isRequired: true }),
    ...(unique.includes(name) && { isUnique: true }),
    ...targets.get(name),
    ...formKeywords(known.get(name) ?? []),
  }));
}

/** The keywords that forms use. Of one that several schemas have, the first counts. */
export function formKeywords(parts: readonly JsonObject[]): JsonObject {
  const found: JsonObject = {};
  const { type } = parts.find((part) => part.type !== undefined) ?? {};
  if (type !== undefined) found.type = Array.isArray(type) ? type : [type];
  for (const keyword of SHOWN) {
    const value = ruleIn(keyword, parts);
    if (value !== undefined && isSmall(value)) found[keyword] = value;
  }
  return found;
}

function ruleIn(keyword: string, parts: readonly JsonObject[]): Json | undefined {
  const firstOf = (name: string): Json | undefined => parts.find((part) => part[name] !== undefined)?.[name];
  const fixed = keyword === "enum" ? firstOf("const") : undefined;
  return fixed === undefined ? firstOf(keyword) : [fixed];
}

function isSmall(value: Json): boolean {
  if (Array.isArray(value) && value.length > MAX_CHOICES) return false;
  return typeof value === "number" || JSON.stringify(value).length <= MAX_LENGTH;
}
