import type { BoundParameter, ValueFilter } from "../../../openapi/bind/binding.ts";
import type { Parameter } from "../../../openapi/read/api-document.ts";
import type { Parameters } from "../../../query/parameters.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { hasWildcard, operatorMeant, partTest } from "../filters/filter-operators.ts";
import { endOfDay, filterValues } from "../filters/filter-values.ts";
import { keyword } from "../schema-fields.ts";

interface FilterSent {
  readonly bound: BoundParameter;
  readonly parameter: Parameter | undefined;
  readonly values: readonly string[];
  /** All parameters of the request. */
  readonly given: Parameters;
  readonly byName: ReadonlyMap<string, BoundParameter>;
  readonly property: Placed | undefined;
}

/** "Supports beginning and ending wildcards (*)." */
const WILDCARDS = /\bwild ?cards?\b(?! (?:are|is) not)/i;

type Translated = Map<string, readonly string[]>;

/** Translates one filter into the parameters of standin. */
export function addFilter(references: References, translated: Translated, sent: FilterSent): void {
  const { bound, parameter, values, given, byName, property } = sent;
  const [first = ""] = values;
  if (bound.isComparison) return;
  if (bound.states) {
    const state = Object.hasOwn(bound.states, first) ? bound.states[first] : undefined;
    // A request that asks for that state itself decides.
    const isAsked = first === "" && [...given.keys()].some((one) => byName.get(one)?.field === state?.field);
    if (!isAsked) addState(translated, state);
    return;
  }
  const field = bound.field ?? bound.name;
  const [told = ""] = (bound.comparedBy === undefined ? undefined : given.get(bound.comparedBy)) ?? [];
  const operator = told === "" ? bound.operator : comparisonTold(told);
  const isThere = presenceTold(parameter?.description, first);
  if (isThere !== undefined) {
    translated.set(`${field.split(".")[0]}:null`, [String(!isThere)]);
    return;
  }
  if (operator === "between") {
    const [from = "", to = ""] = values.length > 1 ? values : first.split(/\.\.|,|\/(?=.{4})/);
    if (from !== "") translated.set(`${field}:gte`, [from]);
    if (to !== "") translated.set(`${field}:lte`, [endOfDay(to)]);
    return;
  }
  if (!operator && values.length === 1 && hasWildcard(first) && WILDCARDS.test(parameter?.description ?? "")) {
    for (const [test, part] of Object.entries(partTest(first))) translated.set(`${field}:${test}`, [String(part)]);
    return;
  }
  for (const compared of operator ? [{ operator, values }] : byOperator(references, parameter, values)) {
    const wanted = filterValues(references, { parameter, field, ...compared, property });
    if (wanted.length > 0) translated.set(compared.operator ? `${field}:${compared.operator}` : field, wanted);
  }
}

interface Compared {
  readonly operator: string | undefined;
  readonly values: readonly string[];
}

/** Values with an operator in front, such as `gte:500`, apart from others. */
function byOperator(
  references: References,
  parameter: Parameter | undefined,
  values: readonly string[],
): readonly Compared[] {
  const isPrefixed = values.some((value) => PREFIXED.test(value)) && takesPrefix(references, parameter);
  if (!isPrefixed) return [{ operator: undefined, values }];
  const found = new Map<string | undefined, string[]>();
  for (const value of values) {
    const [, prefix = "eq", rest = value] = PREFIXED.exec(value) ?? [];
    const operator = prefix === "eq" ? undefined : prefix;
    found.set(operator, [...(found.get(operator) ?? []), rest]);
  }
  return [...found].map(([operator, some]) => ({ operator, values: some }));
}

const PREFIXED = /^(eq|ne|gte?|lte?):(.*)$/s;

/** Whether values may have an operator in front: a pattern such as `^((gte?|lte?|eq):)?\\d+$`, or "e.g. `gt:5`". */
function takesPrefix(references: References, parameter: Parameter | undefined): boolean {
  const { schema, description = "" } = parameter ?? {};
  const items = schema && keyword(references, schema, "items");
  const value = schema && items !== undefined ? { ...schema, value: items } : schema;
  const says = (key: string): string => String((value && keyword(references, value, key)) ?? "");
  return [description, says("pattern"), says("example")].some((text) =>
    /\b(?:eq|ne|gte?|lte?)\??\b[\w|?]*\)?\\?:/.test(text),
  );
}

/** "`none` for issues with no assigned user, and `*` for issues assigned to any user" */
function presenceTold(description: string | undefined, value: string): boolean | undefined {
  if (!/^(?:none|any|\*)$/i.test(value)) return undefined;
  const parts = (description ?? "").split(/[.;]|, and /);
  const part = parts.find((one) => ["`", '"', "'"].some((mark) => one.includes(`${mark}${value}${mark}`)));
  if (part === undefined) return undefined;
  return /\b(?:without|no|not)\b/i.test(part) ? false : /\b(?:any|with)\b/i.test(part) ? true : undefined;
}

function addState(translated: Translated, state: ValueFilter | undefined): void {
  if (state) translated.set(state.operator ? `${state.field}:${state.operator}` : state.field, [state.value]);
}

/** The operator that `dateCondition=>=` tells; undefined for equality. */
function comparisonTold(word: string): string | undefined {
  const operator = operatorMeant(word);
  return operator === "eq" || operator === "present" || operator === "absent" || operator === "notcontains"
    ? undefined
    : operator;
}
