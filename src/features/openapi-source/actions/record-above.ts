import type { PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { wordsIn } from "../../../openapi/bind/words.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import { expectOwn } from "../bound-record.ts";
import type { OperationContext } from "../operation-context.ts";
import { createExpectParents } from "../parents/expect-parents.ts";
import { addressed, idByKeys } from "../parents/field-lookup.ts";

/** An operation below a record whose response is not that record. */
export interface Below {
  readonly collection: BoundCollection;
  /** An operation on the record itself, whose path is the beginning of this one's. */
  readonly item: BoundOperation;
  /** The last word of the path: `lock`. */
  readonly name: string;
}

/** The record that an operation is one word below; undefined where it is below none. */
export function findBelow(
  { collections }: Pick<OperationContext, "collections">,
  { path }: Operation,
): Below | undefined {
  const at = path.text.replace(/\/$/, "").lastIndexOf("/");
  const name = path.text.slice(at + 1).replace(/\/$/, "");
  if (!path.text.slice(0, at).endsWith("}") || name.includes("{") || wordsIn(name).length === 0) return undefined;
  const shape = path.shape.slice(0, path.shape.lastIndexOf("/"));
  for (const collection of collections) {
    if (collection.isSingle) continue;
    const item = collection.operations.find(
      (one) => ["read", "patch", "replace"].includes(one.action) && one.operation.path.shape === shape,
    );
    if (item) return { collection, item: addressed(collection, item), name };
  }
  return undefined;
}

/** Finds the id of the record that a path is below; throws where there is none. */
export function createFind(tools: OperationContext, { collection, item }: Below) {
  const expectParents = createExpectParents(tools, item);
  const { names } = item.operation.path;
  return async (service: Service, given: PathParts): Promise<string> => {
    const values = Object.values(given);
    const parts = Object.fromEntries(names.map((name, at) => [name, given[name] ?? values[at] ?? ""]));
    const { name } = collection;
    if (item.keys.length > 0) return idByKeys(service, { collection: name, bound: item, parts });
    const id = parts[item.idParameter ?? ""] ?? "";
    if (item.parents.length > 0) await expectOwn(service, { collection: name, bound: item, parts, id, expectParents });
    if (!(await service.store.get(name, id))) throw recordNotFound(name, service.store.idKeyOf(name), id);
    return id;
  };
}

/** Throws where the record that a path is below is not there; undefined where it is below none. */
export function createExpectAbove(
  tools: OperationContext,
  operation: Operation,
): ((service: Service, parts: PathParts) => Promise<string>) | undefined {
  const below = findBelow(tools, operation);
  return below && createFind(tools, below);
}
