import { firstWords } from "../field-samples.ts";
import { definePart } from "../text-part.ts";

export const startsWithOperator = definePart({
  name: "startsWith",
  words: "starts with",
  value: "A",
  menu: { rank: 2 },
  hasPart: (part) => (lower) => lower.startsWith(part),
  around: ["", "%"],
  samples: firstWords,
});
