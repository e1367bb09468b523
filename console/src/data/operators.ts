import { type Condition, isList, type Operator, splitList } from "./condition.ts";
import type { FieldKind } from "./table/columns.ts";

/** An entry of the operator menu. */
export interface Choice {
  readonly operator: Operator;
  readonly words: string;
  /** Given where there is nothing to type. */
  readonly value?: string;
}

/** How operators read between a field and a value, in a menu and in short. */
const WORDS: Readonly<Partial<Record<Operator, readonly [words: string, sign?: string]>>> = {
  eq: ["is", "="],
  ne: ["is not", "≠"],
  gt: ["more than", ">"],
  gte: ["at least", "≥"],
  lt: ["less than", "<"],
  lte: ["at most", "≤"],
  in: ["is one of"],
  nin: ["is none of"],
  like: ["matches the pattern"],
  contains: ["contains"],
  startsWith: ["starts with"],
  endsWith: ["ends with"],
  "!like": ["does not match the pattern"],
  "!contains": ["does not contain"],
};

const choice = (operator: Operator): Choice => ({ operator, words: wordsOf(operator) });
const fixed = (operator: Operator, value: string, words: string): Choice => ({ operator, value, words });
const EMPTY = [fixed("null", "true", "is empty"), fixed("null", "false", "is not empty")];
const ORDERED = [...(["gte", "lte", "gt", "lt", "eq", "ne", "in", "nin"] as const).map(choice), ...EMPTY];
const TEXT = [
  ...(["contains", "!contains", "startsWith", "endsWith", "eq", "ne", "in", "nin", "like"] as const).map(choice),
  ...EMPTY,
];
const BOOLEAN = [fixed("eq", "true", "is true"), fixed("eq", "false", "is false"), ...EMPTY];

/** The operators that make sense for a field, the likeliest first. */
export function choicesFor(kind: FieldKind): readonly Choice[] {
  if (kind === "boolean") return BOOLEAN;
  return kind === "text" ? TEXT : ORDERED;
}

/** The entry of the menu that a condition uses; one of its own for a condition that the menu does not offer. */
export function choiceOf({ operator, value }: Condition, kind: FieldKind): Choice {
  const fits = (one: Choice): boolean => one.operator === operator && (one.value ?? value) === value;
  return [...choicesFor(kind), ...EMPTY].find(fits) ?? choice(operator);
}

/** The words between field and value, with the sign if there is one: "≥ at least". */
export function menuWords({ operator, words, value }: Choice): string {
  const sign = value === undefined ? WORDS[operator]?.[1] : undefined;
  return sign ? `${sign} ${words}` : words;
}

/** A condition in one line: "price ≥ 10", "name contains lamp", "stock is empty". */
export function conditionText(condition: Condition, kind: FieldKind): string {
  const { words, value } = choiceOf(condition, kind);
  if (value !== undefined) return `${condition.path} ${words}`;
  const sign = WORDS[condition.operator]?.[1];
  const shown = isList(condition.operator) ? splitList(condition.value).join(", ") : condition.value;
  return `${condition.path} ${sign ?? words} ${shown === "" ? "…" : shown}`;
}

function wordsOf(operator: Operator): string {
  const words = WORDS[operator]?.[0];
  if (words) return words;
  return operator.startsWith("!") ? `not: ${wordsOf(operator.slice(1) as Operator)}` : operator;
}
