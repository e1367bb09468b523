import { StandinError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import { negate } from "./filter.ts";
import type { Operator } from "./operator.ts";
import { namePattern, OPERATOR_NAMES, operatorNamed } from "./operator-table.ts";
import { plainEquality } from "./operators/eq.ts";
import { nullOperator } from "./operators/null.ts";
import { type Path, parsePath } from "./path.ts";
import type { Filter } from "./query.ts";

/** The operators of 0.17, as suffixes of a filter's name; without one it tests equality. */
const SUFFIX = new RegExp(`_(${namePattern(({ suffix }) => suffix === "always")})$`);
/** Operators that are suffixes, too, where the data leave no doubt: `price_gt=10`. */
const LATER_SUFFIX = new RegExp(`^(.+)_(${namePattern(({ suffix }) => suffix === "known")})$`);
/** The most names that are kept: a client needs a few, and the limit bounds the memory. */
const MAX_KEPT = 500;
const MAX_LENGTH = 100;

/** The parts of a filter's name, as 0.17 reads it. */
interface FilterName {
  /** The operator of 0.17 that it ends in. */
  readonly classic: Operator | undefined;
  /** The path before that operator, or the whole name. */
  readonly path: Path;
  /** The parts of a name such as `price_gt`, which may be a field or an operator behind one. */
  readonly later: { readonly path: string; readonly operator: Operator } | undefined;
}

/** Clients send the same few names over and over, so each is taken apart once. */
const namesTakenApart = new Map<string, FilterName>();

export function filterName(name: string): FilterName {
  const kept = namesTakenApart.get(name);
  if (kept) return kept;
  const [suffix = "", ending = ""] = SUFFIX.exec(name) ?? [];
  const [, path = "", known = ""] = LATER_SUFFIX.exec(name) ?? [];
  const operator = operatorNamed(known);
  const read: FilterName = {
    classic: operatorNamed(ending),
    path: parsePath(name.slice(0, name.length - suffix.length)),
    later: operator && { path, operator },
  };
  if (namesTakenApart.size < MAX_KEPT && name.length <= MAX_LENGTH) namesTakenApart.set(name, read);
  return read;
}

/** Conditions as the parameters that contain them take them. */
const EXAMPLES = { _or: "price:lt=10", _having: "count:gt=3" } as const;
/** The most conditions that one request may combine. */
const MAX_CONDITIONS = 200;
/** The most values that the lists of one request may have. */
const MAX_VALUES = 10_000;

/** Whether any record has a value (null included) at the path with this text. */
export type HasPath = (path: string) => boolean;

/** Reads the filters of one request: knows the fields of the records, and counts conditions and values. */
export class FilterReader {
  readonly has: HasPath;
  #conditions = 0;
  #values = 0;

  constructor(has: HasPath) {
    this.has = has;
  }

  /**
   * Reads a filter by the name of its parameter: `price`, `price_gte`, `price:gt`, `price:!in`, `price_gt`. A field of
   * exactly that name always takes precedence. `parameter` is the name that messages give it.
   */
  byName(name: string, values: readonly string[], parameter = name): Filter {
    const read = filterName(name);
    const { classic, later } = read;
    if (classic) return classic.create(read.path, values, parameter);
    const colon = name.lastIndexOf(":");
    if ((colon <= 0 && !later) || this.has(name)) return plainEquality(read.path, values);
    if (later) {
      if (this.has(later.path)) return this.#byTexts({ ...later, isNegated: false, values, parameter });
      if (colon <= 0) return plainEquality(read.path, values);
    }
    const isNegated = name[colon + 1] === "!";
    const operator = expectOperator(parameter, name.slice(colon + (isNegated ? 2 : 1)));
    return this.#byTexts({ operator, isNegated, path: name.slice(0, colon), values, parameter });
  }

  /** Reads `price:gt=10`, the form of `_or` and `_having`. Unlike a parameter, it is never ignored. */
  byText(parameter: keyof typeof EXAMPLES, text: string): Filter {
    const equals = text.indexOf("=");
    if (equals <= 0) {
      throw new StandinError(
        "QUERY_INVALID",
        `${parameter}=${text}: write a condition, for example ${parameter}=${EXAMPLES[parameter]}.`,
      );
    }
    const counted = this.#conditions;
    const name = text.slice(0, equals);
    const filter = this.byName(name, [text.slice(equals + 1)], `${parameter}=${name}`);
    // Conditions of 0.17 are not counted as parameters, of which there are few enough.
    if (this.#conditions === counted) this.#count([]);
    return binding(filter);
  }

  /** Creates a filter; `values` are those of a list for `in` and `nin`. */
  create({ operator, isNegated, path, values, parameter }: OperatorParts): Filter {
    // Operators that do not look their values up compare with each, so that each counts as a condition.
    this.#count(values, operator.isLookup ? 1 : values.length);
    const filter = operator.create(this.#path(path, parameter), values, parameter);
    return isNegated ? negate(filter) : filter;
  }

  /** Creates a filter from an operand in JSON: one value, or a list of values for `in` and `nin`. */
  byOperand(target: Omit<OperatorParts, "values">, operand: unknown): Filter {
    const { operator, parameter } = target;
    const refusal = (reason: string): StandinError => new StandinError("QUERY_INVALID", `${parameter}: ${reason}`);
    if (Array.isArray(operand) && operator.operand !== "list") throw refusal('takes one value; use "in" for several.');
    const operands: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    if (operands.includes(null) && !operator.isLookup) throw refusal("cannot take null.");
    const texts = operands.map((one) => {
      if (typeof one === "object" && one !== null) throw refusal("takes a text, a number or a boolean.");
      return one === null ? null : String(one);
    });
    return this.#byNullable(target, texts);
  }

  /** Null has no text: to ask for it is to ask for records without a value. */
  #byNullable(target: Omit<OperatorParts, "values">, operands: readonly (string | null)[]): Filter {
    const values = operands.filter((one) => one !== null);
    if (values.length === operands.length) return this.create({ ...target, values });
    const isEqual = !target.operator.isExclusion;
    const isNull = this.create({ ...target, operator: nullOperator, isNegated: false, values: [String(isEqual)] });
    const others = values.length > 0 ? [this.create({ ...target, isNegated: false, values })] : [];
    const filter: Filter = { operator: isEqual ? "or" : "and", parts: [isNull, ...others] };
    return target.isNegated ? negate(filter) : filter;
  }

  #byTexts(parts: OperatorParts): Filter {
    const isList = parts.operator.operand === "list";
    return this.create(isList ? { ...parts, values: parts.values.flatMap(splitList) } : parts);
  }

  #path(text: string, parameter: string): Path {
    const path = parsePath(text);
    if (path.segments.includes("__proto__") && !this.has(text)) {
      throw new StandinError("QUERY_INVALID", `${parameter}: no record has a field "${text}".`);
    }
    return path;
  }

  #count(values: readonly string[], conditions = 1): void {
    this.#conditions += conditions;
    this.#values += values.length;
    if (this.#conditions > MAX_CONDITIONS) {
      throw new StandinError("QUERY_INVALID", `The query has more than ${MAX_CONDITIONS} conditions.`);
    }
    if (this.#values > MAX_VALUES) {
      throw new StandinError("QUERY_INVALID", `The lists of the query have more than ${MAX_VALUES} values.`);
    }
  }
}

/** An operator with its operands, as a request names them. */
interface OperatorParts {
  readonly operator: Operator;
  readonly isNegated: boolean;
  readonly path: string;
  readonly values: readonly string[];
  readonly parameter: string;
}

function expectOperator(parameter: string, text: string): Operator {
  const operator = operatorNamed(text);
  if (operator) return operator;
  const hint = didYouMean(text, OPERATOR_NAMES) || ` Operators: ${OPERATOR_NAMES.join(", ")}.`;
  throw new StandinError("QUERY_INVALID", `${parameter}: there is no operator "${text}".${hint}`);
}

/** The values of a comma-separated list; `\,` is a comma in a value. */
function splitList(text: string): string[] {
  if (text === "") return [];
  if (!text.includes("\\,")) return text.split(",");
  return text.split(/(?<!\\),/).map((value) => value.replaceAll("\\,", ","));
}

/** The filter with no part that is ignored when no record has its field. */
export function binding(filter: Filter): Filter {
  return "isPlain" in filter ? { ...filter, isPlain: false } : filter;
}
