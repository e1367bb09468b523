import { messageOf } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { FORMATS } from "../../schema/rules/formats.ts";
import { compilePattern } from "../../schema/rules/pattern.ts";

const INT_32 = 2 ** 31;

export function member(keyword: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [keyword]: value };
}

export function isPattern(source: string): boolean {
  return patternProblem(source) === undefined;
}

/** Why a pattern cannot be checked; undefined where it can. */
export function patternProblem(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

export function namesIn(value: Json, hidden: ReadonlySet<string>): Json | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.filter((name) => typeof name === "string" && !hidden.has(name));
  return names.length === 0 ? undefined : names;
}

/** Formats of JSON Schema, and `int32`, which is a range. Others say nothing about validity. */
export function formatIn(format: Json, owner: JsonObject): JsonObject {
  if (typeof format !== "string") return {};
  if (format === "int32" && [owner.type].flat().some((type) => type === "integer" || type === "number")) {
    const isFree = (limit: string): boolean => typeof owner[limit] !== "number";
    return { ...(isFree("minimum") && { minimum: -INT_32 }), ...(isFree("maximum") && { maximum: INT_32 - 1 }) };
  }
  return FORMATS.has(format) ? { format } : {};
}
