import type { FieldType } from "../api/overview.ts";
import type { Operator } from "./list-query.ts";

/** How each operator reads in a sentence: "price at least 10". */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  eq: "is",
  ne: "is not",
  gte: "at least",
  lte: "at most",
  like: "contains",
};

/** The operators that make sense for a column, the likeliest first. */
export function operatorsFor(types: readonly FieldType[]): readonly Operator[] {
  const known = types.filter((type) => type !== "null");
  if (known.length > 0 && known.every((type) => type === "number")) return ["gte", "lte", "eq", "ne", "like"];
  if (known.length > 0 && known.every((type) => type === "boolean")) return ["eq", "ne"];
  return ["like", "eq", "ne", "gte", "lte"];
}
