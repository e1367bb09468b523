import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import { bindDocument } from "../../../openapi/bind/bind-document.ts";
import { OWN_BINDINGS } from "../../../openapi/bind/config/own-bindings.ts";
import { readLoneDocument } from "../../../openapi/read/load-api-document.ts";

/**
 * The paths that a recorded document would serve as lists or records although the traffic has not shown them to be: nothing
 * would be stored for them.
 */
export function strayReads(document: JsonObject): readonly string[] {
  const section = document[OWN_BINDINGS];
  const own = Object.values(isJsonObject(section) ? section : {}).flatMap((entry) =>
    isJsonObject(entry) ? [entry.list, entry.item, entry.lists].flat() : [],
  );
  const { collections } = bindDocument(readLoneDocument({ file: "", root: { openapi: "3.1.0", ...document } }));
  return collections
    .filter(({ isSingle }) => !isSingle)
    .flatMap(({ operations }) => operations)
    .filter(({ action, operation }) => (action === "list" || action === "read") && operation.method === "GET")
    .map(({ operation }) => operation.path.text)
    .filter((path) => !own.includes(path));
}
