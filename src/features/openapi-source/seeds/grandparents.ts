import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection, ParentKey } from "../../../openapi/bind/binding.ts";
import { valueAt } from "../../../query/path.ts";
import { deepestParents, pathOf } from "../parents/parents.ts";

/**
 * Lets records two and more levels deep belong to the parents of their parent: without that, `/owners/1/pets/2/visits`
 * would list nothing where pet 2 is another owner's.
 */
export function withGrandparents(collections: readonly BoundCollection[], made: Map<string, JsonObject[]>): void {
  const known = new Map(collections.map((one) => [one.name, deepestParents(one)]));
  const parentsOf = ({ name }: BoundCollection): readonly ParentKey[] => known.get(name) ?? [];
  for (const one of collections.toSorted((a, b) => parentsOf(a).length - parentsOf(b).length)) {
    const parents = parentsOf(one);
    const last = parents.findLastIndex(({ collection }) => collection !== undefined && collection !== one.name);
    const parent = parents[last];
    const above = collections.find(({ name }) => name === parent?.collection);
    if (!parent || !above || last < 1) continue;
    const records = new Map(made.get(above.name)?.map((record) => [String(record[above.idKey]), record]));
    const shared = parents.slice(0, last).flatMap((key) => {
      const same = parentsOf(above).find(({ collection }) => collection === key.collection);
      return same && key.collection !== undefined ? [{ key, from: pathOf(same) }] : [];
    });
    for (const record of made.get(one.name) ?? []) {
      const held = records.get(String(valueAt(record, pathOf(parent))));
      for (const { key, from } of shared) {
        const value = held && valueAt(held, from);
        if (value !== undefined) setParent(record, key, value);
      }
    }
  }
}

function setParent(record: JsonObject, { holder, field }: ParentKey, value: Json): void {
  const part = holder === undefined ? undefined : record[holder];
  if (holder === undefined) record[field] = value;
  else if (isJsonObject(part)) record[holder] = { ...part, [field]: value };
}
