import { isJsonObject, type Json, type JsonObject, parseJson } from "../api/json.ts";
import {
  type Clause,
  type Condition,
  factsOf,
  isList,
  joinList,
  OPERATORS,
  type Operator,
  splitList,
} from "./condition.ts";

/** The text of `_where` for clauses that a record must all meet. */
export function formatWhere(clauses: readonly Clause[]): string {
  const parts = clauses.map(whereOf);
  return JSON.stringify(parts.length === 1 ? parts[0] : { and: parts });
}

/** The conditions as an object, as `_where` and `find` of the program API take it. */
export function whereOf(clause: Clause): JsonObject {
  const [first, ...others] = clause.map((condition): JsonObject => {
    const { path, operator } = condition;
    return { [path]: { [operator]: operandOf(condition) } };
  });
  return first && others.length === 0 ? first : { or: [first as JsonObject, ...others] };
}

function operandOf({ operator, value }: Condition): Json {
  if (isList(operator)) return splitList(value).map(scalarOf);
  const { operand } = factsOf(operator);
  if (operand === "flag") return value === "true";
  return operand === "text" ? value : scalarOf(value);
}

/** A number where the text is exactly one; the server compares texts. */
function scalarOf(text: string): string | number {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

/** Reads `_where` as clauses; undefined if it says more than they can. */
export function parseWhere(text: string): Clause[] | undefined {
  const json = parseJson(text);
  return json === undefined ? undefined : clausesOf(json, "");
}

function clausesOf(json: Json, path: string): Clause[] | undefined {
  if (!isJsonObject(json)) return undefined;
  return all(Object.entries(json).map(([key, value]) => entryOf(key, value, path)));
}

function entryOf(key: string, value: Json, path: string): Clause[] | undefined {
  if (key === "and" && Array.isArray(value)) return all(value.map((part) => clausesOf(part, path)));
  if (key === "or" && Array.isArray(value)) {
    const parts = all(value.map((part) => clausesOf(part, path)));
    // Each alternative must be one condition.
    const isFlat = parts?.length === value.length && parts.length > 0 && parts.every(({ length }) => length === 1);
    return isFlat ? [parts.flat()] : undefined;
  }
  if (key === "not") return undefined;
  if (path !== "" && isOperator(key)) return conditionOf(path, key, value);
  const inner = path === "" ? key : `${path}.${key}`;
  if (isJsonObject(value)) return clausesOf(value, inner);
  return conditionOf(inner, Array.isArray(value) ? "in" : "eq", value);
}

function conditionOf(path: string, operator: Operator, operand: Json): Clause[] | undefined {
  if (operand === null && operator === "eq") return [[{ path, operator: "null", value: "true" }]];
  const operands = Array.isArray(operand) ? operand : [operand];
  if (Array.isArray(operand) !== isList(operator)) return undefined;
  if (operands.length === 0 || operands.some((one) => typeof one === "object" || one === "")) return undefined;
  const texts = operands.map(String);
  return [[{ path, operator, value: isList(operator) ? joinList(texts) : (texts[0] as string) }]];
}

function isOperator(text: string): text is Operator {
  return (OPERATORS as readonly string[]).includes(text.replace(/^!/, ""));
}

function all<T>(lists: readonly (T[] | undefined)[]): T[] | undefined {
  return lists.some((list) => list === undefined) ? undefined : (lists as T[][]).flat();
}
