import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = {};
  if (isJsonObject(target)) {
    for (const [name, value] of Object.entries(target))
      if (!Object.hasOwn(patch, name)) define(merged, name, value);
      else if (patch[name] !== null) define(merged, name, mergePatch(value, patch[name]!));
  }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || Object.hasOwn(merged, name)) continue;
    define(merged, name, mergePatch(null, value));
  }
  return merged;
}

/** Data may have a member named `__proto__`, which must not reach the setter. */
function define(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
