import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";

/** The fields of a collection that no response shows. */
export type WriteOnlyFields = (collection: string) => ReadonlySet<string>;

/** Fields that the rules or the OpenAPI document call write-only, whenever their values were written. */
export function writeOnlyFieldsOf(service: Service): WriteOnlyFields {
  const known = new Map<string, ReadonlySet<string>>();
  return (collection) => {
    const found = known.get(collection) ?? writeOnlyFields(service, collection);
    known.set(collection, found);
    return found;
  };
}

function writeOnlyFields(service: Service, collection: string): ReadonlySet<string> {
  const ofDocument = service.offer(documentFeature)?.api.unshownFieldsOf(collection) ?? [];
  const properties = service.offer(rulesFeature)?.rules.get(collection)?.schema.properties;
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  const ofRules = fields.flatMap(([name, field]) => (isJsonObject(field) && field.writeOnly === true ? name : []));
  return new Set([...ofRules, ...ofDocument]);
}

export function withoutFields(value: Json, fields: ReadonlySet<string>): Json {
  if (fields.size === 0 || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !fields.has(name)));
}
