import type { Handler, PathParts } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { createBoundWrite, createRecordShape } from "../bound-record.ts";
import type { OperationContext } from "../operation-context.ts";
import { createExpectParents } from "../parents/expect-parents.ts";
import { recordInPath } from "../parents/field-lookup.ts";
import { isOfParents } from "../parents/parents.ts";
import { createPresentation } from "../responses/presentation.ts";
import { createBoundCreate } from "../writes/bound-create.ts";

/** Makes the record that a path names, or changes it if it is there: the same request may be sent again. */
export function createBoundAdd(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { operation } = bound;
  const create = createBoundCreate(tools, collection, { ...bound, action: "create" });
  const change = operation.requestBody && createBoundWrite(tools, collection, { ...bound, action: "patch" });
  const shape = createRecordShape(createPresentation(tools, collection, bound));
  const expectParents = createExpectParents(tools, bound);
  return async (call, service, parts) => {
    const { store } = service;
    const held = await recordInPath(store, { collection: collection.name, bound, parts });
    if (!held) return create(call, service, parts);
    if (change && isOfParents(bound, parts, held.value)) return change(call, service, parts);
    tools.guard.check({ operation, call, parts, service });
    await expectParents(service, parts);
    return shape.respond({ status: 200, json: held.text, etag: held.tag(store, shape.mark) }, held, call);
  };
}
