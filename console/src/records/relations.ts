import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import type { Overview, Relation } from "../api/overview.ts";

const known = new WeakMap<Overview, readonly Relation[]>();

/** The relations by the names of fields, and the references that the rules declare. */
export function linksIn(overview: Overview): readonly Relation[] {
  const links = known.get(overview) ?? findLinks(overview);
  known.set(overview, links);
  return links;
}

function findLinks({ relations, recordRules = {}, members }: Overview): readonly Relation[] {
  const declared = Object.entries(recordRules).flatMap(([from, { fields }]) =>
    fields.flatMap(({ name: field, refersTo: to }) => (to === undefined ? [] : [{ from, field, to }])),
  );
  const isServed = (name: string): boolean => members.some((member) => member.name === name);
  const added = declared.filter(
    ({ from, field, to }) => isServed(to) && parentOf(relations, from, field) === undefined,
  );
  return [...relations, ...added];
}

/** The collection that a field of this one refers to. */
export function parentOf(relations: readonly Relation[], collection: string, field: string): string | undefined {
  return relations.find((relation) => relation.from === collection && relation.field === field)?.to;
}

/** The collections whose records refer to this one, with the field by which they do. */
export function childrenOf(relations: readonly Relation[], collection: string): readonly Relation[] {
  return relations.filter((relation) => relation.to === collection);
}

/** The parents that a record refers to. */
export function parentsOf(
  relations: readonly Relation[],
  collection: string,
  record: JsonObject,
): { field: string; to: string; id: string }[] {
  return relations
    .filter((relation) => relation.from === collection)
    .flatMap(({ field, to }) => {
      const id = record[field];
      return typeof id === "string" || typeof id === "number" ? [{ field, to, id: String(id) }] : [];
    });
}

const NAMES = ["name", "title", "label", "fullName", "full_name", "displayName", "display_name"];
/** Two that name a person together. */
const PERSON = [
  ["firstName", "lastName"],
  ["first_name", "last_name"],
  ["givenName", "familyName"],
];
const LAST_RESORT = ["username", "email", "subject"];

/** Fields that may name a record. */
export const NAMING: readonly string[] = [...NAMES, ...PERSON.flat(), ...LAST_RESORT];

/** Those that the records of a collection have. */
export function namingFields({ fields }: Overview, collection: string): string[] {
  const known = new Set(fields[collection]?.map(({ name }) => name));
  return NAMING.filter((name) => known.has(name));
}

/** The display name of a record: its name or title, if it has one. */
export function labelOf(record: JsonObject): string | undefined {
  const textOf = (key: string): string => (typeof record[key] === "string" ? record[key] : "");
  const persons = PERSON.map((keys) => keys.map(textOf).filter(Boolean).join(" "));
  return [...NAMES.map(textOf), ...persons, ...LAST_RESORT.map(textOf)].find((label) => label !== "");
}

/** The title of a record by the first of its states that has one. */
export function titleIn(...states: readonly Json[]): string | undefined {
  return states.map((state) => (isJsonObject(state) ? labelOf(state) : undefined)).find((title) => title !== undefined);
}
