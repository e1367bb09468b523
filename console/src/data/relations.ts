import type { JsonObject } from "../api/json.ts";
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

/** Fields that may name a record. */
export const NAMING = ["name", "title", "label", "email", "subject"];

/** The display name of a record: its name or title, if it has one. */
export function labelOf(record: JsonObject): string | undefined {
  const label = NAMING.map((key) => record[key]).find((value) => typeof value === "string" && value !== "");
  return label as string | undefined;
}
