import type { Json, JsonObject } from "../../base/json/json.ts";

/** Counts the values inside, up to a little more than the limit. */
export function countValues(value: Json, limit: number): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && count <= limit; at++) count += countInner(value[at]!, limit - count);
    return count;
  }
  for (const key in value) {
    count += countInner((value as JsonObject)[key]!, limit - count);
    if (count > limit) return count;
  }
  return count;
}

/** The values of one that may have others inside. */
function countInner(value: Json, limit: number): number {
  return typeof value === "object" && value !== null ? countValues(value, limit) : 1;
}
