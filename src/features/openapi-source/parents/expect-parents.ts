import type { PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { pathKey, pathStepsOf } from "../../../openapi/bind/path-shape.ts";
import { type Path, valueAt } from "../../../query/path.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import type { Store } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import { addressed, recordByKeys } from "./field-lookup.ts";
import { deepestParents, pathOf } from "./parents.ts";

/** Throws where a parent that is served has no such record, or one that belongs to another of the path's parents. */
export type ExpectParents = (service: Service, parts: PathParts) => Promise<void>;

interface ServedParent {
  readonly parameter: string;
  readonly collection: string;
  readonly idKey: string | undefined;
  /** The fields of the parent that name those before it in the path. */
  readonly owners: readonly { readonly parameter: string; readonly path: Path }[];
  readonly find: (store: Store, parts: PathParts) => StoredRecord | undefined | Promise<StoredRecord | undefined>;
}

export function createExpectParents(
  { collections }: { readonly collections: readonly BoundCollection[] },
  bound: BoundOperation,
): ExpectParents {
  const { parents } = bound;
  const served = parents.flatMap((parent, at): ServedParent[] => {
    const { parameter, collection } = parent;
    if (collection === undefined) return [];
    const above = collections.find(({ name }) => name === collection);
    const own = above ? deepestParents(above) : [];
    // `/a/1/b/2/c` where b 2 is another one's.
    const owners = parents.slice(0, at).flatMap((one) => {
      const held = own.find(({ collection: of, isOfAll }) => of !== undefined && of === one.collection && !isOfAll);
      return held ? [{ parameter: one.parameter, path: pathOf(held) }] : [];
    });
    const byKeys = above && findByKeys(above, bound, parameter);
    const find = byKeys ?? ((store: Store, parts: PathParts) => store.get(collection, parts[parameter] ?? ""));
    return [{ parameter, collection, idKey: byKeys && above?.idKey, owners, find }];
  });
  return async ({ store }, parts) => {
    for (const { parameter, collection, idKey = store.idKeyOf(collection), owners, find } of served) {
      const record = await find(store, parts);
      const isOwn = owners.every((one) => {
        const held = record && valueAt(record.value, one.path);
        return held === undefined || held === null || String(held) === parts[one.parameter];
      });
      if (!record || !isOwn) throw recordNotFound(collection, idKey, parts[parameter] ?? "");
    }
  };
}

/** Finds a parent below its own parents, as its own path would; undefined where its id says which one is meant. */
function findByKeys(
  above: BoundCollection,
  { operation }: BoundOperation,
  parameter: string,
): ServedParent["find"] | undefined {
  if (above.ownKey === undefined) return undefined;
  const { names } = operation.path;
  const steps = pathStepsOf(operation.path) ?? [];
  const end = steps.findIndex((step) => step.kind === "wildcard" && step.name === parameter) + 1;
  const path = pathKey(steps.slice(0, end));
  const own = above.operations.find(
    (one) => one.idParameter !== undefined && pathKey(pathStepsOf(one.operation.path) ?? []) === path,
  );
  if (!own) return undefined;
  const found = addressed(above, own);
  return (store, parts) => {
    // Both paths have the same wildcards up to the parent, maybe by other names.
    const named = own.operation.path.names.map((name, at) => [name, parts[names[at] ?? ""] ?? ""]);
    return recordByKeys(store, { collection: above.name, bound: found, parts: Object.fromEntries(named) });
  };
}
