import { isJsonObject } from "../../../base/json/json.ts";
import type { BoundOperation } from "../../../openapi/bind/binding.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import type { Api } from "../api.ts";
import type { OperationContext } from "../operation-context.ts";

/** The path of a collection's list in the document; undefined where the document has none. */
export function listPath(api: Api, collection: string): string | undefined {
  const lists = listsOf(api, collection);
  // One that responds without more ado, where there is one.
  const list = lists.find(({ operation }) => operation.parameters.every(({ isRequired }) => !isRequired)) ?? lists[0];
  return list && `${basePathOf(api)}${list.operation.path.text}`;
}

/**
 * An address that lists a collection as it stands, with values for the parameters that must be there. Without a list in the
 * document, it is that of the data; undefined where the document has that path for something else.
 */
export function listAddress(
  { api, tools }: { readonly api: Api; readonly tools: OperationContext },
  collection: string,
): string | undefined {
  for (const { operation } of listsOf(api, collection)) {
    const query = requiredQuery(operation, tools);
    if (query) return `${basePathOf(api)}${operation.path.text}${query.size > 0 ? `?${query}` : ""}`;
  }
  return api.hasPath([collection]) ? undefined : `/${encodeURIComponent(collection)}`;
}

/** The address of the document's operations on this server: `/v2`. */
export function basePathOf({ document }: Api): string {
  return document.basePaths[0] ?? "";
}

function listsOf({ bindings }: Api, collection: string): BoundOperation[] {
  const bound = bindings.collections.find(({ name }) => name === collection)?.operations ?? [];
  return bound.filter(({ action }) => action === "list");
}

/** Undefined where more than a query is needed. */
function requiredQuery({ path, parameters }: Operation, { sample }: OperationContext): URLSearchParams | undefined {
  const query = new URLSearchParams();
  for (const { name, in: place, isRequired, schema } of parameters) {
    if (!isRequired) continue;
    if (place !== "query" || !schema) return undefined;
    const value = sample(schema, schema.place);
    // Its members are parameters of their own, such as the page and the size of Spring's `pageable`.
    if (!isJsonObject(value)) query.append(name, String(value));
  }
  return path.names.length === 0 ? query : undefined;
}
