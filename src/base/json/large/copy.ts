import type { Work } from "../../slices.ts";
import { isLight, type Json, type JsonObject, parseExact, stringifyJson } from "../json.ts";
import type { ParseOptions } from "./parse-in-pieces.ts";

/** Copies a value as JSON.stringify and JSON.parse would, with pauses unless it is light; undefined if JSON lacks it. */
export function* copyInPieces(value: unknown, options: ParseOptions, depth = 1): Work<Json | undefined> {
  if (!isPlain(value) || isLight(value as Json)) {
    const text = stringifyJson(value);
    if (text === undefined) return undefined;
    const copy = parseExact(text);
    options.inspect(copy, depth, 0);
    return copy;
  }
  if (depth > options.maxDepth) throw options.tooDeep();
  if (Array.isArray(value)) {
    const copy: Json[] = [];
    options.inspect(copy, depth, value.length);
    for (const element of value) {
      copy.push((yield* copyInPieces(element, options, depth + 1)) ?? null);
      yield;
    }
    return copy;
  }
  const copy: JsonObject = {};
  const names = Object.keys(value);
  for (const name of names) {
    options.inspect({ [name]: null }, depth, names.length);
    const inner = yield* copyInPieces(value[name], options, depth + 1);
    if (inner !== undefined) copy[name] = inner;
    yield;
  }
  return copy;
}

/** Whether JSON.stringify would read its members without calling a `toJSON`. */
function isPlain(value: unknown): value is unknown[] | Record<string, unknown> {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
