import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { pathKey, pathStepsOf } from "../../../openapi/bind/path-shape.ts";
import { recordByKeys } from "../parents/field-lookup.ts";

/** Marks records that were made by a request: nothing that was generated is below them. No response shows it. */
const STARTS_EMPTY = "startsEmpty";

/** The mark of a new record, where paths below its own may show what was generated for all parents. */
export function markOfNew(collection: BoundCollection): JsonObject | undefined {
  return isFoundByKeys(collection) ? { [STARTS_EMPTY]: true } : undefined;
}

/** The field with that mark, in a list; empty for other collections. */
export function markFields(collection: BoundCollection): readonly string[] {
  return isFoundByKeys(collection) ? [STARTS_EMPTY] : [];
}

/** Whether several fields find a record: `/repos/{owner}/{repo}`. */
function isFoundByKeys({ operations }: BoundCollection): boolean {
  return operations.some(({ action, keys }) => action === "read" && keys.length > 1);
}

/** Whether the parent that a path names was made by a request. */
export type IsBelowNew = (service: Service, parts: PathParts) => Promise<boolean>;

/** Prepares that for an operation; undefined where no parent in its path is found by several fields. */
export function createIsBelowNew(
  collections: readonly BoundCollection[],
  { operation, parents }: BoundOperation,
): IsBelowNew | undefined {
  if (parents.every(({ collection, isTold }) => collection !== undefined || isTold)) return undefined;
  const steps = pathStepsOf(operation.path) ?? [];
  const above = new Set(steps.slice(0, -1).map((_, at) => pathKey(steps.slice(0, at + 1))));
  for (const collection of collections) {
    if (!isFoundByKeys(collection)) continue;
    const { name } = collection;
    const own = collection.operations.find(
      ({ action, keys, operation: { path } }) =>
        action === "read" && keys.length > 1 && above.has(pathKey(pathStepsOf(path) ?? [])),
    );
    if (!own || own.operation === operation) continue;
    const names = own.operation.path.names.map((wildcard, at) => [wildcard, operation.path.names[at] ?? ""] as const);
    return async ({ store }, parts) => {
      const named = Object.fromEntries(names.map(([wildcard, one]) => [wildcard, parts[one] ?? ""]));
      const found = await recordByKeys(store, { collection: name, bound: own, parts: named });
      return isJsonObject(found?.value) && found.value[STARTS_EMPTY] === true;
    };
  }
  return undefined;
}

/** The operation where only records that say so belong to the parents of its path. */
export function withoutGenerated(bound: BoundOperation): BoundOperation {
  return { ...bound, parents: bound.parents.map((parent) => ({ ...parent, isTold: true })) };
}
