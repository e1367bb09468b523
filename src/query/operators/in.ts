import { meetsByValue } from "../condition.ts";
import { listOf, valuesOf } from "../field-samples.ts";
import { defineOperator } from "../operator.ts";
import { equality } from "./eq.ts";

export const inOperator = defineOperator({
  name: "in",
  suffix: "known",
  operand: "list",
  words: "is one of",
  description: "equals one of the list",
  example: { field: "id", value: "1,2,3" },
  menu: { fits: "any", rank: 7 },
  isLookup: true,
  create: equality,
  meets: meetsByValue,
  sql: (database, condition) => database.isAnyOf(condition),
  samples: (field) => [listOf(valuesOf(field).slice(0, 2))],
});
