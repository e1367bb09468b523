import { parseExact, stringifyJson } from "../json.ts";

/** A copy that shares nothing with the value. `structuredClone` would turn exact numbers into plain objects. */
export function cloneJson<T>(value: T): T {
  return value === undefined ? value : (parseExact(stringifyJson(value)) as T);
}
