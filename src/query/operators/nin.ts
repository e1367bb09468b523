import { firstSample, listOf, otherThan } from "../field-samples.ts";
import { defineOperator } from "../operator.ts";
import { inequality, neOperator } from "./ne.ts";

export const ninOperator = defineOperator({
  name: "nin",
  methodName: "NotIn",
  suffix: "known",
  operand: "list",
  words: "is none of",
  description: "exists and equals none of the list",
  example: { field: "id", value: "1,2,3" },
  menu: { fits: "any", rank: 8 },
  isLookup: true,
  isExclusion: true,
  // Null and missing values are not in an empty list, either.
  create: (path, values) => (values.length === 0 ? { operator: "and", parts: [] } : inequality(path, values)),
  meets: neOperator.meets,
  sql: neOperator.sql,
  samples: (field) => firstSample(field).map((one) => listOf([one])),
  otherSamples: otherThan,
});
