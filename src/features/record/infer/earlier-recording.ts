import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { OWN_BINDINGS } from "../../../openapi/bind/config/own-bindings.ts";
import { type PathStep, pathKey, pathStepsOf } from "../../../openapi/bind/path-shape.ts";
import { parsePathTemplate } from "../../../openapi/read/path-template.ts";
import { schemaName } from "./collection-schema.ts";
import type { EarlierCollections } from "./collections.ts";
import type { EarlierPaths } from "./path-templates.ts";

/** The paths of an earlier recording and those above them. */
export function earlierPaths({ paths }: JsonObject): EarlierPaths {
  const found = new Map<string, readonly PathStep[]>();
  for (const path of Object.keys(isJsonObject(paths) ? paths : {})) {
    const steps = pathStepsOf(parsePathTemplate(path, "single")) ?? [];
    for (let length = 1; length <= steps.length; length++) {
      const some = steps.slice(0, length);
      if (!found.has(pathKey(some))) found.set(pathKey(some), some);
    }
  }
  return found;
}

/** The collections of an earlier recording, by the paths of their lists. */
export function earlierCollections({ [OWN_BINDINGS]: section, components }: JsonObject): EarlierCollections {
  const schemas = isJsonObject(components) && isJsonObject(components.schemas) ? components.schemas : {};
  const found = new Map<string, EarlierCollections extends ReadonlyMap<string, infer T> ? T : never>();
  for (const [name, entry] of Object.entries(isJsonObject(section) ? section : {})) {
    if (!isJsonObject(entry)) continue;
    const { list, id, at, itemAt } = entry;
    if (typeof list !== "string" || typeof id !== "string") continue;
    const hidesId = isHidden(schemas[schemaName(name)], id);
    found.set(list, { name, idKey: id, hidesId, at: namesIn(at), itemAt: namesIn(itemAt) });
  }
  return found;
}

function namesIn(path: unknown): readonly string[] {
  return typeof path === "string" && path !== "" ? path.split(".") : [];
}

/** Whether no response shows the id: it is only written. */
function isHidden(schema: Json | undefined, id: string): boolean {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const property = properties[id];
  return isJsonObject(property) && property.writeOnly === true;
}
