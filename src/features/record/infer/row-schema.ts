import type { Json, JsonObject } from "../../../base/json/json.ts";
import type { Routed } from "./path-templates.ts";
import { responseSchema } from "./schemas.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { rowsAt } from "./spots.ts";

/** The schema of the rows that several lists of a collection share, where they lack fields of its records. */
export interface RowSchema {
  readonly name: string;
  readonly reference: JsonObject;
  readonly schema: JsonObject;
}

interface Known {
  readonly name: string;
  readonly routed: readonly Routed[];
  readonly earlier: Json | undefined;
  isWhole(records: readonly JsonObject[]): boolean;
}

/** `/articles` and `/articles/feed` may both show articles without their texts: one schema says that they are the same. */
export function rowSchema(
  collection: SeenCollection,
  { name, routed, earlier, isWhole }: Known,
): RowSchema | undefined {
  const seen = routed.filter((one) => isSuccessful(one) && one.method === "GET" && sharesRows(collection, one.path));
  const rowsByList = new Map<string, JsonObject[]>();
  for (const { path, body } of seen) {
    const rows = rowsByList.get(path) ?? [];
    for (const row of rowsAt(body, listAtPath(collection, path)?.at ?? [])) rows.push(row);
    rowsByList.set(path, rows);
  }
  if (rowsByList.size < 2 && earlier === undefined) return undefined;
  const rows = [...rowsByList.values()];
  const fields = rows.map((list) => [...new Set(list.flatMap(Object.keys))].sort().join("\0"));
  const areAlike = rows.every((list) => list.length > 0 && !isWhole(list)) && new Set(fields).size === 1;
  if (!areAlike) return undefined;
  return {
    name,
    reference: { $ref: `#/components/schemas/${name}` },
    schema: responseSchema(rows.flat(), { earlier }),
  };
}

/** Whether a path is the list of a collection or a view that shows all of it. */
export function sharesRows({ listPath, otherLists, listsIds }: SeenCollection, path: string): boolean {
  return !listsIds && (path === listPath || (otherLists.has(path) && !path.includes("{")));
}
