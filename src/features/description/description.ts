import pluralize from "pluralize";
import { type NamedRelation, namedRelations } from "../../named-relations.ts";
import type { Query } from "../../query/query.ts";
import type { Member, Store } from "../../store/store.ts";
import { Shape } from "./shape.ts";
import { typeNames } from "./type-names.ts";

/** Records looked at from either end of a collection: the oldest tell its form, the newest what has come to it. */
const SAMPLE = 500;
/** Values looked at in one member. */
const MAX_VALUES = 200_000;

/** The shape of a database: members, fields, relations. */
export interface Description {
  readonly idKey: string;
  readonly members: readonly DescribedMember[];
  readonly relations: readonly NamedRelation[];
}

export interface DescribedMember extends Readonly<Member> {
  /** Unlike any other, and a name in any language: `OrderLine`. */
  readonly typeName: string;
  /** Of its records, or of the singleton. */
  readonly shape: Shape;
}

interface Known {
  readonly stamp: string;
  readonly suffix: string | undefined;
  readonly description: Description;
}
const known = new WeakMap<Store, Known>();

/** Looks at a part of the data, however many there are; once for each version of them. */
export async function describeStore(store: Store, suffix: string | undefined): Promise<Description> {
  const stamp = await store.stamp();
  const former = known.get(store);
  if (former?.stamp === stamp && former.suffix === suffix) return former.description;
  const present = store.members();
  const names = typeNames(present.map(({ name, kind }) => (kind === "collection" ? pluralize.singular(name) : name)));
  const members: DescribedMember[] = [];
  for (const [position, member] of present.entries()) {
    members.push({ ...member, typeName: names[position]!, shape: await shapeOf(store, member) });
  }
  const collections = members.flatMap(({ name, kind, shape }) =>
    kind === "collection" ? [{ name, fields: shape.fields }] : [],
  );
  const description = { idKey: store.idKey, members, relations: namedRelations(collections, suffix) };
  known.set(store, { stamp, suffix, description });
  return description;
}

async function shapeOf(store: Store, { name, kind, count }: Member): Promise<Shape> {
  const shape = new Shape();
  const budget = { left: MAX_VALUES };
  if (kind === "singleton") {
    const record = await store.singleton(name);
    if (record) shape.add(record.value, budget);
    return shape;
  }
  const { records: first } = await store.find(name, slice(0, SAMPLE));
  const { records: last } = await store.find(name, slice(Math.max(SAMPLE, count - SAMPLE), count));
  for (const { value } of [...first, ...last]) shape.add(value, budget);
  return shape;
}

function slice(start: number, end: number): Query {
  return { where: [], search: "", sort: [], window: { kind: "slice", start, end }, embed: [], expand: [] };
}
