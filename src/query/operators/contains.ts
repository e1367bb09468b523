import { firstWords } from "../field-samples.ts";
import { definePart } from "../text-part.ts";

export const containsOperator = definePart({
  name: "contains",
  words: "contains",
  opposite: "does not contain",
  value: "a",
  menu: { rank: 1, hasOpposite: true },
  hasPart: (part) => (lower) => lower.includes(part),
  around: ["%", "%"],
  samples: (field) => firstWords(field).map((one) => one.toLowerCase()),
});
