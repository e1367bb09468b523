import { middleOf } from "../field-samples.ts";
import { defineRange } from "../range.ts";

export const lteOperator = defineRange({
  name: "lte",
  suffix: "always",
  words: "at most",
  sign: "≤",
  value: "100",
  rank: 2,
  isLower: false,
  isStrict: false,
  within: (bound, limit) => (value) => (typeof value === "string" ? value <= bound : Number(value) <= limit),
  samples: middleOf,
});
