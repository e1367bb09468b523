import { StandinError } from "../../../base/errors.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import { successOf } from "../../../openapi/bind/bodies/bodies.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import type { Store, TransactionWrite } from "../../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { createExpectAbove } from "./record-above.ts";
import { writeAfter } from "./write-after.ts";

/**
 * Keeps what is nothing but there or not: `PUT` and `DELETE` at a path whose `GET` has no body, and a 404, as in
 * `/user/starred/{owner}/{repo}`. Undefined for other operations.
 */
export function createPresence(
  tools: OperationContext,
  operation: Operation,
  respond: Handler<PathParts>,
): Handler<PathParts> | undefined {
  const siblings = tools.document.operations.filter(({ path }) => path.shape === operation.path.shape);
  const methods = siblings.map(({ method }) => method);
  if (!siblings.some(tellsPresence) || !methods.includes("PUT") || !methods.includes("DELETE")) return undefined;
  const name = nameOf(tools, operation);
  const expectAbove = createExpectAbove(tools, operation);
  const { method } = operation;
  return writeAfter(respond, {
    async find(service, parts) {
      const { store } = service;
      const id = Object.values(parts).join("/") || "current";
      await expectAbove?.(service, parts);
      const isThere = store.kindOf(name) !== undefined && (await store.get(name, id)) !== undefined;
      if (method === "GET" && !isThere) throw recordNotFound(name, "id", id);
      return { id, isThere };
    },
    async writeFor({ id, isThere }, { service }) {
      if (method === "PUT") await expectCollection(service.store, name);
      else if (method !== "DELETE" || !isThere) return undefined;
      return toggling(name, id, method === "PUT");
    },
  });
}

/** Asks again what is there: the same request may have come twice at once. */
function toggling(collection: string, id: string, isWanted: boolean): TransactionWrite {
  return {
    kind: "transaction",
    members: [collection],
    *run(data) {
      const isThere = (yield* data.get(collection, id)) !== undefined;
      if (isThere === isWanted) return;
      if (isWanted) yield* data.apply({ kind: "create", collection, bodies: [{ id }] });
      else yield* data.apply({ kind: "remove", collection, id, dependents: [] });
    },
  };
}

/** A success without a body beside a 404. */
export function tellsPresence(operation: Operation): boolean {
  const isBare = successOf(operation)?.contents.length === 0;
  return operation.method === "GET" && isBare && operation.responses.some(({ status }) => status === 404);
}

/** The fixed words of the path. */
function nameOf({ collections }: OperationContext, { path }: Operation): string {
  const words = path.text.split("/").filter((segment) => segment !== "" && !segment.includes("{"));
  const name = words.join("-");
  return collections.some((one) => one.name === name) ? `${name}-marks` : name;
}

/** It is there once something is in it. */
async function expectCollection(store: Store, name: string): Promise<void> {
  if (store.kindOf(name) !== undefined) return;
  try {
    await store.alter({ kind: "created", name, type: "collection" });
  } catch (thrown) {
    // Another request may have added it meanwhile.
    if (!(thrown instanceof StandinError) || thrown.code !== "COLLECTION_EXISTS") throw thrown;
  }
}
