import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import type { Handler, PathParts, Service } from "../../http/contract.ts";
import { recordRoute } from "../../http/routes/record.ts";
import type { RecordShape } from "../../http/routes/record-shape.ts";
import type { BoundCollection, BoundOperation } from "../../openapi/bind/binding.ts";
import { StoredRecord } from "../../store/stored-record.ts";
import type { OperationContext } from "./operation-context.ts";
import { createExpectParents } from "./parents/expect-parents.ts";

/** The id of a record whose path has no wildcards. */
export const ONLY_ID = "current";

/** Whether there is one record in all, and not one for each parent. */
export function isOnlyOne({ operations }: BoundCollection): boolean {
  return operations.every((bound) => parentsIn(bound).length === 0);
}

interface SingleRead {
  readonly collection: BoundCollection;
  readonly bound: BoundOperation;
  readonly shape: RecordShape;
}

/** Responds with the one record of a path. Before it is first changed, it may be made for the response alone. */
export function createSingleRead(
  tools: OperationContext,
  { collection, bound, shape }: SingleRead,
): Handler<PathParts> {
  const { name } = collection;
  const read = recordRoute.GET!;
  const expectParents = createExpectParents(tools, bound);
  return async (call, service, parts) => {
    tools.guard.check({ operation: bound.operation, call, parts, service });
    await expectParents(service, parts);
    const id = idIn(bound, parts);
    if (await service.store.get(name, id)) return read(call, service, { collection: name, id, shape });
    const made = new StoredRecord(madeRecord(tools, collection, id), 0, 0);
    return shape.respond({ status: 200, json: made.text }, made, call);
  };
}

/** Prepares the id of the one record of a path, which is created before it is first changed. */
export function createSingleId(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): (service: Service, parts: PathParts) => Promise<string> {
  const { name } = collection;
  const expectParents = createExpectParents(tools, bound);
  return async (service, parts) => {
    await expectParents(service, parts);
    const { store } = service;
    const id = idIn(bound, parts);
    if (await store.get(name, id)) return id;
    try {
      await store.apply({ kind: "create", collection: name, bodies: [madeRecord(tools, collection, id)] });
    } catch (thrown) {
      // Another request may have created it meanwhile.
      if (!(await store.get(name, id))) throw thrown;
    }
    return id;
  };
}

function idIn(bound: BoundOperation, parts: PathParts): string {
  return (
    parentsIn(bound)
      .map((parameter) => parts[parameter])
      .join("/") || ONLY_ID
  );
}

/** The one record has the same place whatever id a path names it by. */
function parentsIn({ operation: { path }, idParameter }: BoundOperation): readonly string[] {
  return path.names.filter((name) => name !== idParameter);
}

function madeRecord(tools: OperationContext, { name, record, idKey }: BoundCollection, id: string): JsonObject {
  const sampled = tools.sample(record, `${name}/${id}`);
  return { ...(isJsonObject(sampled) ? sampled : {}), [idKey]: id };
}
