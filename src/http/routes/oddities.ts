import type { Json } from "../../base/json/json.ts";
import { isCondition } from "../../query/filter.ts";
import { operatorNamed } from "../../query/operator-table.ts";
import type { Parameters } from "../../query/parameters.ts";
import { type Path, someValueAt } from "../../query/path.ts";
import type { Condition, Filter, Query } from "../../query/query.ts";

const NONE: readonly never[] = [];
/** A value such as `gt:3`, which other servers take for an operator. */
const WITH_OPERATOR = /^(!?)(\w+):/;

/** What else is odd about a list than its names. */
export interface Oddities {
  readonly found: readonly string[];
  readonly vain: readonly Condition[];
}

/** Hot path: most lists are not empty, and nothing is looked at but that. */
export function odditiesOf(query: Query, total: number, parameters: Parameters): Oddities | undefined {
  const vain = total === 0 && query.where.length > 0 ? suspectConditions(query.where) : NONE;
  const found = query.window.kind === "page" ? pageBelowFirst(query, parameters) : NONE;
  return vain.length === 0 && found.length === 0 ? undefined : { vain, found };
}

/** Explains a page such as `_page=0`, which is the first one, as in 0.17. */
export function pageBelowFirst({ window }: Query, parameters: Parameters): string[] {
  if (window.kind !== "page" || window.page !== 1) return [];
  const text = parameters.get("_page")?.[0]?.trim() ?? "";
  return text !== "" && Number(text) < 1 ? [`_page=${text}: pages are counted from 1, so this is the first one.`] : [];
}

export function explainOddities(odd: Oddities | undefined, records: readonly Json[]): string[] {
  return odd ? [...odd.found, ...explainVain(odd.vain, records)] : [];
}

/** The conditions that may never hold, to be looked at where a list is empty. */
export function suspectConditions(where: readonly Filter[]): readonly Condition[] {
  return where.filter(isCondition).filter((one) => isWithOperator(one) || isWithoutNumber(one));
}

/** Explains those of them that do not hold for records like these. */
export function explainVain(suspects: readonly Condition[], records: readonly Json[]): string[] {
  return suspects.flatMap((condition) => {
    const { path, operator, values } = condition;
    const [value = ""] = values;
    if (isWithOperator(condition)) {
      const meant = `${path.text}:${value.replace(":", "=")}`;
      return `${path.text}=${value}: an operator belongs to the name. Did you mean "${meant}"?`;
    }
    if (!isNumeric(path, records)) return [];
    return `${path.text}:${operator}=${value}: ${path.text} is a number, so nothing matches "${value}".`;
  });
}

function isWithOperator({ isPlain, values }: Condition): boolean {
  const [, , name = ""] = WITH_OPERATOR.exec(values[0] ?? "") ?? [];
  return isPlain === true && operatorNamed(name) !== undefined;
}

function isWithoutNumber({ comparison, isNegated, values }: Condition): boolean {
  return comparison.bound !== undefined && !isNegated && values.every((value) => Number.isNaN(Number(value)));
}

/** Whether the values at a path are numbers alone. */
function isNumeric(path: Path, records: readonly Json[]): boolean {
  const isNumber = (value: Json): boolean => typeof value === "number";
  const isAny = (test: (value: Json) => boolean): boolean => records.some((record) => someValueAt(record, path, test));
  return isAny(isNumber) && !isAny((value) => value !== null && !isNumber(value));
}
