import { lastWords } from "../field-samples.ts";
import { definePart } from "../text-part.ts";

export const endsWithOperator = definePart({
  name: "endsWith",
  words: "ends with",
  value: "e",
  menu: { rank: 3 },
  hasPart: (part) => (lower) => lower.endsWith(part),
  around: ["%", ""],
  samples: lastWords,
});
