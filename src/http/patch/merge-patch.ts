import { isJsonObject, type Json, type JsonObject, setField } from "../../base/json/json.ts";

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = {};
  if (isJsonObject(target)) {
    for (const [name, value] of Object.entries(target)) {
      const change = Object.hasOwn(patch, name) ? patch[name] : undefined;
      if (change === undefined) setField(merged, name, value);
      else if (change !== null) setField(merged, name, mergePatch(value, change));
    }
  }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || Object.hasOwn(merged, name)) continue;
    setField(merged, name, mergePatch(null, value));
  }
  return merged;
}
