import type { JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { Placed } from "../../../schema/references.ts";
import { idOf } from "../../../store/ids.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import { once } from "../once.ts";
import type { OperationContext } from "../operation-context.ts";
import { otherForm } from "../parents/id-parameters.ts";
import { recordFieldsOf } from "../schema-fields.ts";
import { isOfOwnKind, targetOf } from "../seeds/relations.ts";

interface Relation {
  readonly schema: Placed;
  /** The collection whose records the field names. */
  readonly target: string;
}

/** Prepares that a new record names others that exist, in fields that were not sent and would be made. */
export function createRelatedIds(
  { document: { references }, collections, passes, made }: OperationContext,
  { name, idKey, record, operations }: BoundCollection,
): (sent: JsonObject, store: Store) => Promise<JsonObject> {
  const relations = once((): ReadonlyMap<string, Relation> => {
    const properties = recordFieldsOf(references, record)?.properties ?? new Map<string, Placed>();
    const parents = new Set(operations.flatMap((one) => one.parents.map(({ field }) => field)));
    return new Map(
      [...properties].flatMap(([field, schema]): [string, Relation][] => {
        const isOther = field === idKey || parents.has(field) || isOfOwnKind(field, name);
        const target = isOther ? undefined : targetOf({ references, collections }, field, schema);
        return target === undefined ? [] : [[field, { schema, target }]];
      }),
    );
  });
  // Where that is not the id of the store, fields have what paths do.
  const idKeys = once(
    () => new Map(collections.flatMap((one) => (one.ownKey === undefined ? [] : [[one.name, one.idKey]]))),
  );
  return async (sent, store) => {
    if (relations().size === 0) return sent;
    const value = { ...sent };
    for (const field of made(name, sent)) {
      const { schema, target } = relations().get(field) ?? {};
      if (!schema || target === undefined) continue;
      const [first] = (await store.find(target, slice(0, 1))).records;
      const id = first && idOf(first.value, idKeys().get(target) ?? store.idKeyOf(target));
      const fitting = id === undefined ? undefined : [id, otherForm(id)].find((one) => passes(schema, one));
      if (fitting !== undefined) value[field] = fitting;
    }
    return value;
  };
}
