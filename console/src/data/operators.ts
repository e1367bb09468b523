import { OPERATOR_TABLE } from "../api/operator-table.ts";
import { type Condition, factsOf, isList, type Operator, splitList } from "./condition.ts";
import type { FieldKind } from "./table/columns.ts";

/** An entry of the operator menu. */
export interface Choice {
  readonly operator: Operator;
  readonly words: string;
  /** Given where there is nothing to type. */
  readonly value?: string;
}

const choice = (operator: Operator): Choice => ({ operator, words: wordsOf(operator) });
const fixed = (operator: Operator, value: string, words: string): Choice => ({ operator, value, words });
const EMPTY = [fixed("null", "true", "is empty"), fixed("null", "false", "is not empty")];
const BOOLEAN = [fixed("eq", "true", "is true"), fixed("eq", "false", "is false"), ...EMPTY];
const ORDERED = menuFor("ordered");
const TEXT = menuFor("text");
const OBJECT = menuFor("object");

function menuFor(kind: "ordered" | "text" | "object"): readonly Choice[] {
  const offered = OPERATOR_TABLE.filter(
    ({ fits, rank }) => rank > 0 && (fits === kind || (fits === "any" && kind !== "object")),
  );
  const choices = offered
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ name, hasOpposite }) => (hasOpposite ? [choice(name), choice(`!${name}`)] : [choice(name)]));
  return [...choices, ...EMPTY];
}

/** The operators that make sense for a field, the likeliest first. */
export function choicesFor(kind: FieldKind): readonly Choice[] {
  if (kind === "boolean") return BOOLEAN;
  if (kind === "object") return OBJECT;
  return kind === "text" ? TEXT : ORDERED;
}

/** The entry of the menu that a condition uses; one of its own for a condition that the menu does not offer. */
export function choiceOf({ operator, value }: Condition, kind: FieldKind): Choice {
  const fits = (one: Choice): boolean => one.operator === operator && (one.value ?? value) === value;
  return [...choicesFor(kind), ...EMPTY].find(fits) ?? choice(operator);
}

/** The words between field and value, with the sign if there is one: "≥ at least". */
export function menuWords({ operator, words, value }: Choice): string {
  const sign = value === undefined ? signOf(operator) : "";
  return sign === "" ? words : `${sign} ${words}`;
}

/** A condition in one line: "price ≥ 10", "name contains lamp", "stock is empty". */
export function conditionText(condition: Condition, kind: FieldKind): string {
  const { words, value } = choiceOf(condition, kind);
  if (value !== undefined) return `${condition.path} ${words}`;
  const sign = signOf(condition.operator);
  const shown = isList(condition.operator) ? splitList(condition.value).join(", ") : condition.value;
  return `${condition.path} ${sign || words} ${shown === "" ? "…" : shown}`;
}

function signOf(operator: Operator): string {
  return operator.startsWith("!") ? "" : factsOf(operator).sign;
}

function wordsOf(operator: Operator): string {
  const { words, opposite } = factsOf(operator);
  return operator.startsWith("!") ? opposite || `not: ${words}` : words;
}
