import type { Json } from "../../base/json/json.ts";
import type { BoundOperation } from "../../openapi/bind/binding.ts";
import type { ExplainedBindings } from "./explained-bindings.ts";

/** The bindings for programs. */
export function bindingsJson({ file, collections, unbound, evidenceFor }: ExplainedBindings): Json {
  return {
    file,
    collections: collections.map((collection) => ({
      name: collection.name,
      path: collection.path,
      id: collection.idKey,
      record: collection.record.place,
      evidence: evidenceFor(collection).map(({ guess, value, because, bound }) => ({
        guess,
        value,
        because,
        operation: bound ? `${bound.operation.method} ${bound.operation.path.text}` : null,
      })),
      operations: collection.operations.map(operationJson),
    })),
    unbound: unbound.map(({ operation, why }) => ({ method: operation.method, path: operation.path.text, why })),
  };
}

function operationJson(bound: BoundOperation): Json {
  const { operation, action, success, at, isListOfOne, wrapper, requestAt, parents, envelope, parameters, why } = bound;
  return {
    method: operation.method,
    path: operation.path.text,
    action,
    status: success.status,
    idParameter: bound.idParameter ?? null,
    at: at ? [...at] : null,
    isListOfOne,
    elementAt: wrapper ? [...wrapper.at] : [],
    requestAt: [...requestAt],
    keys: bound.keys.map(({ parameter, path }) => ({ parameter, path: [...path] })),
    parents: parents.map(({ parameter, field, holder, isOfAll, isTold, isInRecord, collection }) => ({
      ...{ parameter, field, isOfAll, isTold, isInRecord },
      holder: holder ?? null,
      collection: collection ?? null,
    })),
    envelope: envelope.map(({ path, role }) => ({ path: [...path], role })),
    parameters: parameters.map((parameter) => ({ ...parameter })),
    why,
  };
}
