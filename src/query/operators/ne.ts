import type { Json } from "../../base/json/json.ts";
import { equalsAny, holdsFor } from "../condition.ts";
import { firstSample, otherThan } from "../field-samples.ts";
import { defineOperator } from "../operator.ts";
import { type Path, someValueAt } from "../path.ts";
import type { Condition } from "../query.ts";

export const neOperator = defineOperator({
  name: "ne",
  suffix: "always",
  operand: "value",
  words: "is not",
  sign: "≠",
  description: "exists and does not equal the text",
  example: { field: "name", value: "a" },
  menu: { fits: "any", rank: 6 },
  isLookup: true,
  isExclusion: true,
  create: inequality,
  meets: hasNoEqual,
  sql: (database, condition) => database.isNoneOf(condition),
  samples: firstSample,
  otherSamples: otherThan,
});

/** The condition that there are values at the path, and none has one of these texts. */
export function inequality(path: Path, values: readonly string[]): Condition {
  return { operator: "ne", comparison: neOperator, path, values, holds: equalsAny(values), isSlow: false };
}

function hasNoEqual(record: Json, { path, holds }: Condition): boolean {
  let isPresent = false;
  const isEqual = someValueAt(record, path, (value) => {
    if (value !== null) isPresent = true;
    return holdsFor(value, holds);
  });
  return isPresent && !isEqual;
}
