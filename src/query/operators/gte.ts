import { middleOf } from "../field-samples.ts";
import { defineRange } from "../range.ts";

export const gteOperator = defineRange({
  name: "gte",
  suffix: "always",
  words: "at least",
  sign: "≥",
  value: "10",
  rank: 1,
  isLower: true,
  isStrict: false,
  within: (bound, limit) => (value) => (typeof value === "string" ? value >= bound : Number(value) >= limit),
  samples: middleOf,
});
