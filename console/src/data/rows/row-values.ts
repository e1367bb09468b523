import type { Json, JsonObject } from "../../api/json.ts";
import type { Field } from "../../api/overview.ts";
import { type Condition, isComplete } from "../condition.ts";
import type { ListQuery } from "../list-query.ts";

/** The fields of a copy: without the id, and without those that the server fills in. */
export function copyOf(record: JsonObject, idKey: string, fields: readonly Field[]): JsonObject {
  const left = new Set([idKey, ...fields.flatMap(({ name, isKept }) => (isKept ? [name] : []))]);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)));
}

/** The condition that a field has this value, or has not; undefined for values that no filter can ask for. */
export function conditionFor(path: string, value: Json | undefined, isExcluded = false): Condition | undefined {
  if (value === undefined || value === null) return { path, operator: "null", value: String(!isExcluded) };
  if (typeof value === "object") return undefined;
  const condition: Condition = { path, operator: isExcluded ? "ne" : "eq", value: String(value) };
  return isComplete(condition) ? condition : undefined;
}

/** The query with one more condition, in the place of another on the same field that asks for a value. */
export function withCondition(query: ListQuery, condition: Condition): ListQuery {
  const isReplaced = (clause: ListQuery["filters"][number]): boolean =>
    clause.length === 1 && clause[0]?.path === condition.path && clause[0].operator === condition.operator;
  const others = query.filters.filter((clause) => !isReplaced(clause));
  return { ...query, filters: [...others, [condition]] };
}
