import { isJsonObject, type Json, type JsonObject, setField, stringifyJson } from "../../base/json/json.ts";

/** A record in three states. */
export interface ThreeWays {
  /** As the change left it. */
  readonly base: Json;
  /** As it was before. */
  readonly then: Json;
  readonly now: Json;
}

/** Takes the fields that a change has changed back, and keeps all others; undefined where one of them has changed again. */
export function mergeFields({ base, then, now }: ThreeWays): JsonObject | undefined {
  if (!isJsonObject(base) || !isJsonObject(then) || !isJsonObject(now)) return undefined;
  const merged = { ...now };
  for (const field of new Set([...Object.keys(base), ...Object.keys(then)])) {
    const [left, wanted, present] = [textIn(base, field), textIn(then, field), textIn(now, field)];
    if (left === wanted || present === wanted) continue;
    if (present !== left) return undefined;
    if (wanted === undefined) delete merged[field];
    else setField(merged, field, then[field] as Json);
  }
  return merged;
}

function textIn(value: JsonObject, field: string): string | undefined {
  return Object.hasOwn(value, field) ? stringifyJson(value[field] as Json) : undefined;
}
