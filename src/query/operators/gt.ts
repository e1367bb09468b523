import { belowAll, middleOf } from "../field-samples.ts";
import { defineRange } from "../range.ts";

export const gtOperator = defineRange({
  name: "gt",
  suffix: "known",
  words: "more than",
  sign: ">",
  value: "10",
  rank: 3,
  isLower: true,
  isStrict: true,
  within: (bound, limit) => (value) => (typeof value === "string" ? value > bound : Number(value) > limit),
  samples: middleOf,
  otherSamples: belowAll,
});
