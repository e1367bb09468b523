import pluralize from "pluralize";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { createPause, inSlices } from "../../base/slices.ts";
import { slice } from "../../store/slice.ts";
import type { Member, Store } from "../../store/store.ts";
import { DataShape } from "../inference/data-shape.ts";
import { type CollectionFields, findRelations, type RelationNaming, relationName } from "../named-relations.ts";
import type { Rules } from "../rules/rules.ts";
import { type DescribedMember, type DescribedRelation, type Description, relationsOf } from "./description.ts";
import { typeNamer } from "./type-names.ts";

/** Values looked at in one member. */
const MAX_VALUES = 200_000;
const MAX_ITEMS = 100;

interface Known {
  readonly stamp: string;
  readonly members: readonly DescribedMember[];
}
const known = new WeakMap<Store, Known>();

/** Looks at a part of the data, however many there are; once for each version of them. Rules say more about records. */
export async function describeStore(store: Store, naming: RelationNaming, rules?: Rules): Promise<Description> {
  const stamp = await store.stamp();
  const former = known.get(store);
  const seen = former?.stamp === stamp ? former.members : await membersOf(store);
  known.set(store, { stamp, members: seen });
  const members = rules ? seen.map((member) => ({ ...member, rules: rules.get(member.name) })) : seen;
  const collections = members.flatMap((member) =>
    member.kind === "collection" ? [{ name: member.name, idKey: member.idKey, fields: fieldsOf(member) }] : [],
  );
  const description = { members, relations: await inSlices(findRelations(collections, naming)) };
  return members.some((member) => member.rules) ? withRules(description) : description;
}

async function membersOf(store: Store): Promise<Known["members"]> {
  await store.refresh();
  const pause = createPause();
  const typeNameOf = typeNamer();
  const found: DescribedMember[] = [];
  for (const member of store.members()) {
    const { name, kind } = member;
    const idKey = kind === "collection" ? store.idKeyOf(name) : undefined;
    const typeName = typeNameOf(kind === "collection" ? pluralize.singular(name) : name);
    found.push({ ...member, idKey, shape: await shapeOf(store, member), typeName });
    if (pause.isDue) await pause.take();
  }
  return found;
}

async function withRules(description: Description): Promise<Description> {
  const { Definitions } = await import("./rules/definitions.ts");
  const { members } = description;
  const ruled = members.flatMap(({ name, typeName, rules }) => (rules ? [{ name, typeName, rules }] : []));
  const definitions = new Definitions(
    ruled,
    members.map(({ typeName }) => typeName),
  );
  return { ...description, definitions, relations: ruledRelations(description) };
}

async function shapeOf(store: Store, member: Member): Promise<DataShape> {
  const shape = new DataShape();
  const limits = { values: MAX_VALUES, places: Number.POSITIVE_INFINITY, items: MAX_ITEMS };
  const isOne = member.kind === "singleton";
  const values = isOne ? [(await store.singleton(member.name))?.value] : await sampleRecords(store, member);
  for (const value of values) if (value !== undefined) shape.add(value, limits);
  return shape;
}

/** The fields that the records have, or may have by the rules. */
function fieldsOf({ shape, rules }: DescribedMember): CollectionFields["fields"] {
  const referring = Object.keys(rules?.references ?? {}).filter((field) => !shape.fields.has(field));
  if (referring.length === 0) return shape.fields;
  const isList = (field: string): boolean => {
    const schema = (rules?.schema.properties as JsonObject | undefined)?.[field];
    return isJsonObject(schema) && [schema.type].flat().includes("array");
  };
  const fields = new Map<string, { readonly arrays: number }>(shape.fields);
  for (const field of referring) fields.set(field, { arrays: isList(field) ? 1 : 0 });
  return fields;
}

/** The relations by name and those of the rules. Of a field that the rules speak about, only theirs counts. */
function ruledRelations({ members, relations }: Pick<Description, "members" | "relations">): DescribedRelation[] {
  const collections = members.filter(({ kind }) => kind === "collection");
  return collections.flatMap(({ name: from, rules, shape }) => {
    const named = relationsOf(relations, from).filter((one) => one.from === from);
    const references = Object.entries(rules?.references ?? {});
    const ruled = references.flatMap(([field, { collection: to }]): DescribedRelation[] => {
      if (!collections.some(({ name }) => name === to)) return [];
      const name = relationName(field);
      const isList = (shape.fields.get(field)?.arrays ?? 0) > 0;
      const other = {
        from,
        field,
        to,
        ...(isList && { isList: true as const }),
        ...(name !== pluralize.singular(to) && { name }),
      };
      return [named.find((one) => one.field === field && one.to === to) ?? other];
    });
    return [...named.filter(({ field }) => !references.some(([one]) => one === field)), ...ruled];
  });
}

const SAMPLE = 500;

/** Records from either end of a collection: the oldest tell its form, the newest what has come to it. */
export async function sampleRecords(store: Store, { name, count }: Pick<Member, "name" | "count">): Promise<Json[]> {
  const { records: first } = await store.find(name, slice(0, SAMPLE));
  const { records: last } = await store.find(name, slice(Math.max(SAMPLE, count - SAMPLE), count));
  return [...first, ...last].map(({ value }) => value);
}
