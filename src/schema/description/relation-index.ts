import type { Relation } from "./description.ts";

const NONE: readonly Relation[] = [];
const indexes = new WeakMap<readonly Relation[], ReadonlyMap<string, readonly Relation[]>>();

/** The relations from or to a collection, in their order; looked up once however many collections ask. */
export function relationsOf(relations: readonly Relation[], collection: string): readonly Relation[] {
  const index = indexes.get(relations) ?? createIndex(relations);
  indexes.set(relations, index);
  return index.get(collection) ?? NONE;
}

function createIndex(relations: readonly Relation[]): ReadonlyMap<string, readonly Relation[]> {
  const index = new Map<string, Relation[]>();
  for (const relation of relations) {
    for (const name of new Set([relation.from, relation.to])) {
      const known = index.get(name);
      if (known) known.push(relation);
      else index.set(name, [relation]);
    }
  }
  return index;
}
