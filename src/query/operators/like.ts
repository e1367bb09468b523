import { meetsByValue } from "../condition.ts";
import { firstWords } from "../field-samples.ts";
import { compileLike } from "../like-pattern.ts";
import { defineOperator } from "../operator.ts";
import type { Path } from "../path.ts";
import type { Condition, Scalar } from "../query.ts";
import { textOf } from "../text.ts";

export const likeOperator = defineOperator({
  name: "like",
  suffix: "always",
  operand: "text",
  operandName: "pattern",
  words: "matches the pattern",
  opposite: "does not match the pattern",
  description: "matches the pattern, in any case",
  example: { field: "name", value: "^A" },
  menu: { fits: "text", rank: 9 },
  index: "text",
  create: pattern,
  meets: meetsByValue,
  sql: (database, condition) => database.matches(condition),
  samples: (field) => firstWords(field).map((one) => `^${one}`),
});

function pattern(path: Path, values: readonly string[], parameter: string): Condition {
  const likes = values.map((value) => compileLike(parameter, value));
  return {
    operator: "like",
    comparison: likeOperator,
    path,
    values,
    holds: (value: Scalar) => likes.some((like) => like.matches(textOf(value))),
    literals: likes.map((like) => like.literals),
    pieces: likes.map((like) => like.pieces),
    isSlow: likes.some((like) => like.isSlow),
  };
}
