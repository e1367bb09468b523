import { StandinError } from "../base/errors.ts";
import { ExactNumber } from "../base/json/exact/exact-number.ts";
import type { Json } from "../base/json/json.ts";
import { filterName } from "./filter-name.ts";
import { compileLike } from "./like.ts";
import { type Path, someValueAt } from "./path.ts";
import type { Comparison, Condition, Scalar } from "./query.ts";
import { textOf } from "./text.ts";

/**
 * Parses one filter of 0.17: `price_gte` and its values. A field whose name ends in an operator cannot be filtered.
 * `parameter` is the name that messages give it.
 */
export function parseCondition(name: string, values: readonly string[], parameter = name): Condition {
  const { operator, path, isClassic } = filterName(name);
  if (isClassic) return createCondition(operator, path, values, parameter);
  return { operator, path, values, holds: equalsAny(values), isSlow: false, isPlain: true };
}

/** Creates a condition. `parameter` is the name that messages give it. */
export function createCondition(
  operator: Comparison,
  path: Path,
  values: readonly string[],
  parameter = path.text,
): Condition {
  switch (operator) {
    case "like": {
      const likes = values.map((pattern) => compileLike(parameter, pattern));
      const holds = (value: Scalar): boolean => likes.some((like) => like.matches(textOf(value)));
      const literals = likes.map((like) => like.literals);
      const lower = likes.flatMap((like) => like.matchesLower ?? []);
      const holdsLower = lower.length === likes.length ? anyOf(lower) : undefined;
      return { operator, path, values, holds, holdsLower, literals, isSlow: likes.some((like) => like.isSlow) };
    }
    case "contains":
    case "startsWith":
    case "endsWith": {
      const parts = values.map((value) => value.toLowerCase());
      const holdsLower = anyOf(parts.map((part) => hasPart(operator, part)));
      const holds = (value: Scalar): boolean => holdsLower((value as string).toLowerCase());
      return { operator, path, values, holds, holdsLower, literals: parts.map((part) => [part]), isSlow: false };
    }
    case "null": {
      const wanted = values.map((value) => asBoolean(parameter, value));
      // Called with whether there is no value at the path.
      return { operator, path, values, holds: (isNull) => wanted.includes(isNull as boolean), isSlow: false };
    }
    case "eq":
    case "ne":
      return { operator, path, values, holds: equalsAny(values), isSlow: false };
    default:
      return { operator, path, values, holds: anyOf(values.map((value) => within(operator, value))), isSlow: false };
  }
}

/**
 * Whether a record meets a condition. Null and missing values meet none. An array meets it when an element does, or its
 * comma-joined text does (0.17.4 only has the latter); for `ne`, no value at the path may be equal.
 */
export function meetsCondition(record: Json, condition: Condition): boolean {
  return isMet(record, condition) !== (condition.isNegated ?? false);
}

function isMet(record: Json, { operator, path, holds }: Condition): boolean {
  switch (operator) {
    case "ne": {
      let isPresent = false;
      const isEqual = someValueAt(record, path, (value) => {
        if (value !== null) isPresent = true;
        return holdsFor(value, holds);
      });
      return isPresent && !isEqual;
    }
    case "null":
      return holds(!someValueAt(record, path, (value) => value !== null));
    case "gt":
    case "lt":
      return someValueAt(record, path, (value) => holdsForElement(value, holds));
    case "contains":
    case "startsWith":
    case "endsWith":
      return someValueAt(record, path, (value) => holdsForText(value, holds));
    default:
      return someValueAt(record, path, (value) => holdsFor(value, holds));
  }
}

/**
 * All values of a record that a condition of 0.17 on this path tests, and an index on the path contains. A record meets an
 * equality or range condition exactly when one of these does.
 */
export function judgedValues(record: Json, path: Path): Scalar[] {
  const values: Scalar[] = [];
  const collect = (value: Json): boolean => holdsFor(value, (judged) => values.push(judged) < 0);
  someValueAt(record, path, collect);
  return values;
}

/** Whether an array at the path adds its joined text to the judged values. */
export function hasJoinedText(record: Json, path: Path): boolean {
  return someValueAt(record, path, Array.isArray);
}

function holdsFor(value: Json, holds: (value: Scalar) => boolean): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) return value.some((element) => holdsFor(element, holds)) || holds(textOf(value));
  return holds(typeof value === "object" && !(value instanceof ExactNumber) ? textOf(value) : value);
}

/** As `holdsFor`, without the joined text of arrays. */
function holdsForElement(value: Json, holds: (value: Scalar) => boolean): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) return value.some((element) => holdsForElement(element, holds));
  return holds(typeof value === "object" && !(value instanceof ExactNumber) ? textOf(value) : value);
}

function holdsForText(value: Json, holds: (value: Scalar) => boolean): boolean {
  if (typeof value === "string") return holds(value);
  return Array.isArray(value) && value.some((element) => holdsForText(element, holds));
}

/** Tests equality of the text form, without creating the text of every number in a scan. */
function equalsAny(values: readonly string[]): (value: Scalar) => boolean {
  // Made for the first record that is tested: most equalities are looked up in an index.
  let sets: { readonly texts: ReadonlySet<string>; readonly numbers: ReadonlySet<number> } | undefined;
  return (value) => {
    sets ??= { texts: new Set(values), numbers: new Set(values.filter(isNumberText).map(Number)) };
    return typeof value === "number" ? sets.numbers.has(value) : sets.texts.has(String(value));
  };
}

function isNumberText(text: string): boolean {
  return String(Number(text)) === text;
}

/** 0.17.4: a stored number (or boolean, as 0 and 1) is compared as a number, a stored text by its code units. */
function within(operator: "gt" | "gte" | "lt" | "lte", bound: string): (value: Scalar) => boolean {
  const limit = Number(bound);
  switch (operator) {
    case "gt":
      return (value) => (typeof value === "string" ? value > bound : Number(value) > limit);
    case "gte":
      return (value) => (typeof value === "string" ? value >= bound : Number(value) >= limit);
    case "lt":
      return (value) => (typeof value === "string" ? value < bound : Number(value) < limit);
    case "lte":
      return (value) => (typeof value === "string" ? value <= bound : Number(value) <= limit);
  }
}

function hasPart(operator: "contains" | "startsWith" | "endsWith", part: string): (lower: string) => boolean {
  switch (operator) {
    case "contains":
      return (lower) => lower.includes(part);
    case "startsWith":
      return (lower) => lower.startsWith(part);
    case "endsWith":
      return (lower) => lower.endsWith(part);
  }
}

function asBoolean(parameter: string, value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new StandinError("QUERY_INVALID", `${parameter}=${value}: the value must be true or false.`);
}

function anyOf<T extends Scalar>(judgements: readonly ((value: T) => boolean)[]): (value: T) => boolean {
  const [only] = judgements;
  return judgements.length === 1 && only ? only : (value) => judgements.some((holds) => holds(value));
}
