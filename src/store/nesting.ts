import type { Json, JsonObject } from "../base/json/json.ts";

/**
 * The most levels of objects and arrays in one record of a file or another source. Much deeper values cannot be written as
 * JSON again, because each level takes stack. Request bodies have a lower limit of their own.
 */
export const MAX_RECORD_LEVELS = 1000;

/** Path steps shown of a value that is nested too deeply. */
const SHOWN_STEPS = 6;

/** Whether a record, or a collection with one more level, is nested too deeply. */
export function isTooDeep(value: Json, levels = MAX_RECORD_LEVELS): value is Json[] | JsonObject {
  return typeof value === "object" && value !== null && isDeeper(value, levels);
}

/** The message that names the part that is too deep; `place` is the path of the value. */
export function tooDeepMessage(value: object, place: string, levels = MAX_RECORD_LEVELS): string {
  return `${pathInto(value, place, levels)} is nested deeper than ${MAX_RECORD_LEVELS} levels.`;
}

/** Hot path of every start: the loops check for objects themselves, because a call for each plain value costs double. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let position = 0; position < value.length; position++) {
      const inner: unknown = value[position];
      if (typeof inner === "object" && inner !== null && isDeeper(inner, levels - 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === "object" && inner !== null && isDeeper(inner, levels - 1)) return true;
  }
  return false;
}

/** The first steps of the path into the part that is too deep. */
function pathInto(whole: object, place: string, levels: number): string {
  let value = whole;
  let path = place;
  for (let step = 1; step <= SHOWN_STEPS; step++) {
    const [key, inner] = Object.entries(value).find(([, inner]) => isTooDeep(inner, levels - step)) as [string, object];
    path += Array.isArray(value) ? `[${key}]` : /^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    value = inner;
  }
  return `${path}...`;
}
