import type { JsonObject } from "../../base/json/json.ts";
import type { BoundCollection, ParentKey } from "../../openapi/bind/binding.ts";

/**
 * Lets records two and more levels deep belong to the parents of their parent: without that, `/owners/1/pets/2/visits`
 * would list nothing where pet 2 is another owner's.
 */
export function withGrandparents(collections: readonly BoundCollection[], made: Map<string, JsonObject[]>): void {
  const parentsOf = new Map(collections.map((one) => [one.name, deepestParents(one)]));
  const order = collections.toSorted((a, b) => parentsOf.get(a.name)!.length - parentsOf.get(b.name)!.length);
  for (const { name } of order) {
    const parents = parentsOf.get(name)!;
    const parent = parents.at(-1);
    const above = collections.find((one) => one.name === parent?.collection);
    if (!parent || !above || parents.length < 2) continue;
    const records = new Map(made.get(above.name)?.map((record) => [record[above.idKey], record]));
    const shared = parents.slice(0, -1).flatMap((key) => {
      const same = parentsOf.get(above.name)!.find(({ collection }) => collection === key.collection);
      return same && key.collection !== undefined ? [{ field: key.field, from: same.field }] : [];
    });
    for (const record of made.get(name) ?? []) {
      const held = records.get(record[parent.field]);
      for (const { field, from } of shared) if (held?.[from] !== undefined) record[field] = held[from];
    }
  }
}

/** The parents in the longest path of a collection. */
function deepestParents({ operations }: BoundCollection): readonly ParentKey[] {
  return operations.reduce<readonly ParentKey[]>(
    (most, { parents }) => (parents.length > most.length ? parents : most),
    [],
  );
}
