import { StartError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";

/** Checks `indexes` of the config file: a list of paths for each collection. */
export function readIndexes(given: JsonObject | undefined, file: string): Record<string, string[]> {
  const indexes: Record<string, string[]> = {};
  for (const [collection, paths] of Object.entries(given ?? {})) {
    const isList = Array.isArray(paths) && paths.every((path) => typeof path === "string" && path !== "");
    if (!isList) {
      throw new StartError(`${file}: "indexes.${collection}" must be a list of fields, such as ["price", "name"].`);
    }
    Object.defineProperty(indexes, collection, { value: paths, enumerable: true });
  }
  return indexes;
}
