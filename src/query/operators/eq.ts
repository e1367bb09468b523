import { equalsAny, meetsByValue } from "../condition.ts";
import { firstSample } from "../field-samples.ts";
import { defineOperator } from "../operator.ts";
import type { Path } from "../path.ts";
import type { Condition } from "../query.ts";

export const eqOperator = defineOperator({
  name: "eq",
  operand: "value",
  words: "is",
  sign: "=",
  description: "equals the text",
  example: { field: "name", value: "a" },
  menu: { fits: "any", rank: 5 },
  isLookup: true,
  index: "equality",
  create: (path, values) => equality(path, values),
  meets: meetsByValue,
  sql: (database, condition) => database.isAnyOf(condition),
  samples: firstSample,
});

/** The condition that a value at the path has one of these texts. */
export function equality(path: Path, values: readonly string[]): Condition {
  return { operator: "eq", comparison: eqOperator, path, values, holds: equalsAny(values), isSlow: false };
}

/** The same without an operator, which is ignored when no record has the field. */
export function plainEquality(path: Path, values: readonly string[]): Condition {
  const holds = equalsAny(values);
  return { operator: "eq", comparison: eqOperator, path, values, holds, isSlow: false, isPlain: true };
}
