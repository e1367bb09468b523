import type { JsonObject } from "../../../base/json/json.ts";
import { pathText } from "../../../openapi/bind/path-shape.ts";
import type { Routed } from "./path-templates.ts";
import { isSuccessful } from "./seen.ts";
import type { SeenCollection } from "./seen-collection.ts";

/**
 * Wildcards whose records need not be there, by path and name: the API responded below a record that nobody has seen, so the
 * recording has to do so, too.
 */
export function openParents(
  routed: readonly Routed[],
  collections: readonly SeenCollection[],
  data: JsonObject,
): ReadonlySet<string> {
  const idsAt = new Map(
    collections.map(({ name, itemPath, idKey }) => {
      const records = data[name];
      return [
        itemPath,
        new Set(Array.isArray(records) ? records.map((one) => String((one as JsonObject)[idKey])) : []),
      ];
    }),
  );
  // One that was removed was there.
  for (const { method, path, values } of routed) if (method === "DELETE") idsAt.get(path)?.add(values.at(-1) ?? "");
  const open = new Set<string>();
  for (const one of routed.filter(isSuccessful)) {
    let position = 0;
    for (const [at, step] of one.steps.slice(0, -1).entries()) {
      if (step.kind !== "wildcard") continue;
      const ids = idsAt.get(pathText(one.steps.slice(0, at + 1)));
      if (ids?.has(one.values[position++] ?? "") === false) open.add(openKey(one.path, step.name));
    }
  }
  return open;
}

export function openKey(path: string, name: string): string {
  return `${path} ${name}`;
}
