import { StandinError } from "../../base/errors.ts";
import { defineOperator } from "../operator.ts";
import { type Path, someValueAt } from "../path.ts";
import type { Condition } from "../query.ts";

export const nullOperator = defineOperator({
  name: "null",
  methodName: "IsNull",
  suffix: "known",
  operand: "flag",
  words: "is null or missing",
  opposite: "has a value",
  description: "is missing or null; with `false`: exists and is not null",
  example: { field: "name", value: "true" },
  menu: { fits: "object", rank: 0 },
  create: nullness,
  meets: (record, { path, holds }) => holds(!someValueAt(record, path, (value) => value !== null)),
  sql: (database, condition) => database.isNull(condition),
  samples: ({ isSparse }) => (isSparse ? ["true"] : []),
  otherSamples: () => ["false"],
});

/** The condition that there is no value at the path (`true`), or that there is one (`false`). */
export function nullness(path: Path, values: readonly string[], parameter: string): Condition {
  const wanted = values.map((value) => asBoolean(parameter, value));
  // Called with whether there is no value.
  const holds: Condition["holds"] = (isNull) => wanted.includes(isNull as boolean);
  return { operator: "null", comparison: nullOperator, path, values, holds, isSlow: false };
}

function asBoolean(parameter: string, value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new StandinError("QUERY_INVALID", `${parameter}=${value}: the value must be true or false.`);
}
