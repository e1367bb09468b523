import pluralize from "pluralize";
import { isJsonObject, type Json, type JsonObject, setField } from "../../../base/json/json.ts";
import type { Service } from "../../../http/contract.ts";
import { foreignKeys } from "../../../http/relations/foreign-keys.ts";
import { type Id, lookupKey } from "../../../store/ids.ts";
import { rulesFeature } from "../../rules/feature.ts";

/** The collections that the fields of a collection's records refer to. */
export type ReferenceFields = ReadonlyMap<string, string>;

/** New ids by the old ones, by collection. */
type IdsByCollection = ReadonlyMap<string, ReadonlyMap<Id, Id>>;

/** The fields by which records of a collection refer to others: those of the rules, then by their names. */
export async function referringFields(
  service: Service,
  child: string,
  parents: readonly string[],
): Promise<ReferenceFields> {
  const fields = new Map<string, string>();
  for (const parent of parents) {
    for (const { field } of await foreignKeys(service, child, pluralize.singular(parent))) fields.set(field, parent);
  }
  const ruled = service.offer(rulesFeature)?.rules.get(child)?.references ?? {};
  for (const [field, { collection }] of Object.entries(ruled)) fields.set(field, collection);
  return fields;
}

/**
 * The record with references to the new ids; the record itself where it has none. A reference that the record had before
 * means a record of the main data, and stays.
 */
export function withNewIds(
  { value, before }: { readonly value: Json; readonly before: Json | undefined },
  fields: ReferenceFields,
  newIds: IdsByCollection,
): Json {
  if (!isJsonObject(value)) return value;
  let changed: JsonObject | undefined;
  for (const [field, collection] of fields) {
    const ids = newIds.get(collection);
    const held = Object.hasOwn(value, field) ? value[field] : undefined;
    if (!ids || held === undefined) continue;
    const former = isJsonObject(before) && Object.hasOwn(before, field) ? before[field] : undefined;
    const referred = redirected(held, former, ids);
    if (referred === held) continue;
    changed ??= { ...value };
    setField(changed, field, referred);
  }
  return changed ?? value;
}

function redirected(value: Json, former: Json | undefined, ids: ReadonlyMap<Id, Id>): Json {
  if (Array.isArray(value)) {
    const formerIds = new Set(Array.isArray(former) ? former : []);
    const next = value.map((one) => (formerIds.has(one) ? one : redirected(one, undefined, ids)));
    return next.some((one, position) => one !== value[position]) ? next : value;
  }
  if (value === former || (typeof value !== "string" && typeof value !== "number")) return value;
  return ids.get(lookupKey(value)) ?? value;
}
