import { type Json, type JsonObject, stringifyJson } from "./json.ts";

/** As Node's for the values that JSON has. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(valueAt(one, key), valueAt(other, key)));
}

function valueAt(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}

/** A text that equal JSON values share, and only they: fields in the order of their names. */
export function canonicalText(value: Json): string {
  if (typeof value !== "object" || value === null) return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText((value as JsonObject)[name]!)}`).join(",")}}`;
}
