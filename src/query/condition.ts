import type { Json } from "../json.ts";
import { compileLike } from "./like.ts";
import { type Path, parsePath, someValueAt } from "./path.ts";
import { type Condition, OPERATORS, type Operator, type Scalar } from "./query.ts";
import { textOf } from "./text.ts";

const SUFFIX = new RegExp(`_(${OPERATORS.join("|")})$`);

/** Parses one filter: `price_gte` and its values. 0.17.4: a field whose name ends in an operator cannot be filtered. */
export function parseCondition(parameter: string, values: readonly string[]): Condition {
  const suffix = SUFFIX.exec(parameter);
  const operator = (suffix?.[1] ?? "eq") as Operator;
  const path = parsePath(suffix ? parameter.slice(0, suffix.index) : parameter);
  if (operator === "like") {
    const likes = values.map((pattern) => compileLike(parameter, pattern));
    const holds = (value: Scalar): boolean => likes.some((like) => like.matches(textOf(value)));
    const literals = likes.map((like) => like.literals);
    return { operator, path, values, holds, literals, isSlow: likes.some((like) => like.isSlow) };
  }
  const holds =
    operator === "gte" || operator === "lte"
      ? anyOf(values.map((value) => within(operator, value)))
      : equalsAny(values);
  return { operator, path, values, holds, isSlow: false };
}

/**
 * Whether a record meets a condition. Null and missing values meet none. An array meets it when an element does, or its
 * comma-joined text does (0.17.4 only has the latter); for `ne`, no value at the path may be equal.
 */
export function meets(record: Json, condition: Condition): boolean {
  const holds = (value: Json): boolean => holdsFor(value, condition.holds);
  if (condition.operator !== "ne") return someValueAt(record, condition.path, holds);
  let isPresent = false;
  const isEqual = someValueAt(record, condition.path, (value) => {
    if (value !== null) isPresent = true;
    return holds(value);
  });
  return isPresent && !isEqual;
}

/**
 * All values of a record that a condition on this path tests, and an index on the path contains. A record meets an equality
 * or range condition exactly when one of these does.
 */
export function judgedValues(record: Json, path: Path): Scalar[] {
  const values: Scalar[] = [];
  const collect = (value: Json): boolean => holdsFor(value, (judged) => values.push(judged) < 0);
  someValueAt(record, path, collect);
  return values;
}

function holdsFor(value: Json, holds: (value: Scalar) => boolean): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) return value.some((element) => holdsFor(element, holds)) || holds(textOf(value));
  return holds(typeof value === "object" ? textOf(value) : value);
}

/** Tests equality of the text form, without creating the text of every number in a scan. */
function equalsAny(values: readonly string[]): (value: Scalar) => boolean {
  const texts = new Set(values);
  const numbers = new Set<number>();
  for (const text of values) if (String(Number(text)) === text) numbers.add(Number(text));
  return (value) => (typeof value === "number" ? numbers.has(value) : texts.has(String(value)));
}

/** 0.17.4: a stored number (or boolean, as 0 and 1) is compared as a number, a stored text by its code units. */
function within(operator: "gte" | "lte", bound: string): (value: Scalar) => boolean {
  const limit = Number(bound);
  return operator === "gte"
    ? (value) => (typeof value === "string" ? value >= bound : Number(value) >= limit)
    : (value) => (typeof value === "string" ? value <= bound : Number(value) <= limit);
}

function anyOf(judgements: readonly ((value: Scalar) => boolean)[]): (value: Scalar) => boolean {
  const [only] = judgements;
  return judgements.length === 1 && only ? only : (value) => judgements.some((holds) => holds(value));
}
