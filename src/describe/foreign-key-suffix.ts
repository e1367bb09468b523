import pluralize from "pluralize";
import { isJsonObject } from "../json.ts";
import type { Exported } from "../store/store.ts";

export const DEFAULT_SUFFIX = "_id";
const OTHER_SUFFIX = "Id";
/** Records looked at in each collection: enough to see its fields, few enough not to slow a start. */
export const SAMPLE = 1000;

/**
 * Which suffix the foreign keys of these data have. Evidence is a key such as `company_id` or `companyId` whose plural
 * names a collection: where only `Id` is found it is `Id`, in any other case `_id`.
 */
export function chooseForeignKeySuffix(members: readonly Exported[]): string {
  const collections = members.filter((member) => member.kind === "collection");
  const names = new Set(collections.map((member) => member.name));
  const keys = new Set<string>();
  for (const { records } of collections) {
    for (const { value } of records.slice(0, SAMPLE)) {
      if (isJsonObject(value)) for (const key of Object.keys(value)) keys.add(key);
    }
  }
  const hasEvidence = (suffix: string): boolean =>
    [...keys].some((key) => key.endsWith(suffix) && names.has(pluralize(key.slice(0, -suffix.length))));
  return hasEvidence(OTHER_SUFFIX) && !hasEvidence(DEFAULT_SUFFIX) ? OTHER_SUFFIX : DEFAULT_SUFFIX;
}
