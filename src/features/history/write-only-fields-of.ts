import type { Service } from "../../http/contract.ts";
import { writeOnlyFields } from "../../schema/rules/rules.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";

/** The fields of a collection that no response shows. */
export type WriteOnlyFields = (collection: string) => ReadonlySet<string>;

/** Fields that the rules or the OpenAPI document call write-only, whenever their values were written. */
export function writeOnlyFieldsOf(service: Service): WriteOnlyFields {
  const known = new Map<string, ReadonlySet<string>>();
  return (collection) => {
    const found = known.get(collection) ?? unshown(service, collection);
    known.set(collection, found);
    return found;
  };
}

function unshown(service: Service, collection: string): ReadonlySet<string> {
  const ofRules = writeOnlyFields(service.offer(rulesFeature)?.rules.get(collection));
  return new Set([...ofRules, ...(service.offer(documentFeature)?.api.unshownFieldsOf(collection) ?? [])]);
}
