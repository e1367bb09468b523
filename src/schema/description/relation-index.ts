import type { DescribedRelation } from "./description.ts";

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
