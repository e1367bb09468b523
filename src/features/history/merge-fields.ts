import { isJsonObject, type Json, type JsonObject, setField, stringifyJson } from "../../base/json/json.ts";
import type { ThreeStates } from "./revert-conflict.ts";

/** Takes the fields that a change has changed back, and keeps all others; undefined where one of them has changed again. */
export function mergeFields({ base, earlier, now }: ThreeStates<Json>): JsonObject | undefined {
  if (!isJsonObject(base) || !isJsonObject(earlier) || !isJsonObject(now)) return undefined;
  const merged = { ...now };
  for (const field of new Set([...Object.keys(base), ...Object.keys(earlier)])) {
    const [left, wanted, present] = [textIn(base, field), textIn(earlier, field), textIn(now, field)];
    if (left === wanted || present === wanted) continue;
    if (present !== left) return undefined;
    if (wanted === undefined) delete merged[field];
    else setField(merged, field, earlier[field] as Json);
  }
  return merged;
}

function textIn(value: JsonObject, field: string): string | undefined {
  return Object.hasOwn(value, field) ? stringifyJson(value[field] as Json) : undefined;
}
