import { isJsonObject, type Json, setField, withChange } from "../../base/json/json.ts";

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = withChange(isJsonObject(target) ? target : {}, patch);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else
      setField(
        merged,
        name,
        mergePatch(isJsonObject(target) && Object.hasOwn(target, name) ? target[name]! : null, value),
      );
  }
  return merged;
}
