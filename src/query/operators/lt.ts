import { aboveAll, greatestOf } from "../field-samples.ts";
import { defineRange } from "../range.ts";

export const ltOperator = defineRange({
  name: "lt",
  suffix: "known",
  words: "less than",
  sign: "<",
  value: "100",
  rank: 4,
  isLower: false,
  isStrict: true,
  within: (bound, limit) => (value) => (typeof value === "string" ? value < bound : Number(value) < limit),
  samples: greatestOf,
  otherSamples: aboveAll,
});
