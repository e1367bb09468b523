import pluralize from "pluralize";
import { SUFFIXES } from "../../http/relations/foreign-key-suffix.ts";
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
  readonly relations: readonly Relation[];
}

export interface DescribedMember extends Readonly<Member> {
  /** Unlike any other, and a name in any language: `OrderLine`. */
  readonly typeName: string;
  /** Of its records, or of the singleton. */
  readonly shape: Shape;
}

/** A field by which the records of one collection refer to those of another. */
export interface Relation {
  readonly from: string;
  readonly field: string;
  readonly to: string;
  /** Set where the field has a list of ids. */
  readonly isList?: true;
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
  const description = { idKey: store.idKey, members, relations: relationsOf(members, suffix) };
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

/**
 * `company_id` or `companyId` refers to `companies`, if there is such a collection; a list `tag_ids` or `tagIds` to `tags`.
 * Of both spellings, only the latter counts.
 */
function relationsOf(members: readonly DescribedMember[], given: string | undefined): Relation[] {
  const collections = members.filter(({ kind }) => kind === "collection");
  const suffixes = given === undefined ? SUFFIXES : [given];
  return collections.flatMap(({ name: from, shape }) =>
    [...shape.fields].flatMap(([field, { arrays }]): Relation[] => {
      for (const ending of arrays > 0 ? ["s", ""] : [""]) {
        const found = suffixes.findIndex((suffix) => field.endsWith(`${suffix}${ending}`));
        if (found === -1) continue;
        const singular = field.slice(0, -`${suffixes[found]}${ending}`.length);
        const isSecond = suffixes.slice(0, found).some((one) => shape.fields.has(`${singular}${one}${ending}`));
        const target = collections.find(({ name }) => singular !== "" && pluralize.singular(name) === singular);
        if (!target || isSecond) continue;
        return [{ from, field, to: target.name, ...(ending === "s" && { isList: true as const }) }];
      }
      return [];
    }),
  );
}
