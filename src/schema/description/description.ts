import type { Member } from "../../store/store.ts";
import type { DataShape } from "../inference/data-shape.ts";
import type { NamedRelation } from "../named-relations.ts";
import type { CollectionRules } from "../rules/rules.ts";
import type { Definitions } from "./rules/definitions.ts";

/** The shape of a database: members, fields, relations. */
export interface Description {
  readonly members: readonly DescribedMember[];
  readonly relations: readonly DescribedRelation[];
  /** The schemas that rules refer to; undefined without rules. */
  readonly definitions?: Definitions | undefined;
}

export interface DescribedMember extends Readonly<Member> {
  /** Unlike any other, and a name in any language: `OrderLine`. */
  readonly typeName: string;
  /** The primary key field of its records; undefined for a singleton. */
  readonly idKey: string | undefined;
  /** Of its records, or of the singleton. */
  readonly shape: DataShape;
  /** The rules that its records, or the singleton, must keep. */
  readonly rules?: CollectionRules | undefined;
}

/** A field by which the records of one collection refer to those of another. */
export type DescribedRelation = NamedRelation;

const NONE: readonly DescribedRelation[] = [];
const indexes = new WeakMap<readonly DescribedRelation[], ReadonlyMap<string, readonly DescribedRelation[]>>();

/** The relations from or to a collection, in their order; looked up once however many collections ask. */
export function relationsOf(relations: readonly DescribedRelation[], collection: string): readonly DescribedRelation[] {
  const index = indexes.get(relations) ?? createIndex(relations);
  indexes.set(relations, index);
  return index.get(collection) ?? NONE;
}

function createIndex(relations: readonly DescribedRelation[]): ReadonlyMap<string, readonly DescribedRelation[]> {
  const index = new Map<string, DescribedRelation[]>();
  for (const relation of relations) {
    for (const name of new Set([relation.from, relation.to])) {
      const known = index.get(name);
      if (known) known.push(relation);
      else index.set(name, [relation]);
    }
  }
  return index;
}
