import pluralize from "pluralize";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { createPause, inSlices } from "../../base/slices.ts";
import type { Member, Store } from "../../store/store.ts";
import { DataShape } from "../inference/data-shape.ts";
import { sampleRecords } from "../inference/sample-records.ts";
import { type CollectionFields, findRelations, type RelationNaming } from "../named-relations.ts";
import type { Rules } from "../rules/rules.ts";
import type { DescribedMember, Description } from "./description.ts";
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
  const { ruledRelations } = await import("./rules/ruled-relations.ts");
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
