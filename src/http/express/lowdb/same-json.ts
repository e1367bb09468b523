import { StandinError } from "../../../base/errors.ts";
import { isJsonObject, type Json, keepDigits, parseJson, stringifyJson } from "../../../base/json/json.ts";
import { isTooDeep, tooDeepMessage } from "../../../store/nesting.ts";

/**
 * Whether `JSON.stringify` would write `value` as `json`, regardless of the order of keys.
 */
export function sameJson(value: unknown, json: Json | undefined): boolean {
  if (value === json) return true;
  const plain = typeof value === "object" && hasToJson(value) ? value.toJSON() : value;
  if (typeof plain === "number") return Number.isFinite(plain) ? plain === json : json === null;
  if (typeof plain !== "object" || plain === null) return plain === json;
  if (Array.isArray(plain)) {
    if (!Array.isArray(json) || plain.length !== json.length) return false;
    return plain.every((element, position) => sameJson(isDropped(element) ? null : element, json[position]));
  }
  return isJsonObject(json) && haveSameFields(plain as Record<string, unknown>, json);
}

function haveSameFields(plain: Record<string, unknown>, json: Readonly<Record<string, Json>>): boolean {
  const keys = Object.keys(plain);
  const wanted = Object.keys(json);
  // Usually in the same order, so that no key needs a lookup.
  if (keys.length === wanted.length && keys.every((key, at) => key === wanted[at])) {
    return keys.every((key) => sameJson(plain[key], json[key]));
  }
  let count = 0;
  for (const key of keys) {
    const value = plain[key];
    if (isDropped(value)) continue;
    if (!Object.hasOwn(json, key) || !sameJson(value, json[key])) return false;
    count++;
  }
  return count === wanted.length;
}

/**
 * Converts a value to JSON; undefined for one that JSON omits. Throws on circular references, as `JSON.stringify` does.
 * Numbers that `before` has at the same places keep their digits.
 */
export function asJson(value: unknown, before?: Json): Json | undefined {
  const text = stringifyJson(value);
  if (text === undefined) return undefined;
  const json = parseJson(text);
  // A file with this value could not be loaded again.
  if (isTooDeep(json)) throw new StandinError("BODY_TOO_DEEP", tooDeepMessage(json, "record"));
  return before === undefined ? json : keepDigits(json, before);
}

/** A copy for programs. */
export function copyJson(json: Json): Json {
  if (Array.isArray(json)) return json.map(copyJson);
  if (!isJsonObject(json)) return json;
  const copy = {};
  for (const key of Object.keys(json)) put(copy, key, copyJson(json[key]!));
  return copy;
}

/** Sets a field, even one named `__proto__`. */
export function put(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether JSON omits a field with this value. */
export function isDropped(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === "function";
}
