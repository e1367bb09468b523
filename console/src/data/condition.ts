import { OPERATOR_TABLE } from "../api/operator-table.ts";

type Facts = (typeof OPERATOR_TABLE)[number];
/** An operator of a filter, as in `price:gt=10`. A `!` before the name negates it. */
export type Operator = Facts["name"] | `!${Facts["name"]}`;

export const OPERATORS: readonly Facts["name"][] = OPERATOR_TABLE.map(({ name }) => name);

export interface Condition {
  /** A field, or a path into one: `headquarter.lat`. */
  readonly path: string;
  readonly operator: Operator;
  /** For `in` and `nin` a comma-separated list, with `\,` for a comma in a value. */
  readonly value: string;
}

/** One or several conditions, of which a record must meet at least one. */
export type Clause = readonly Condition[];

const COLON = new RegExp(`^(.+):(!?(?:${OPERATORS.join("|")}))$`, "s");
/** The suffixes of json-server 0.17, in links made before there were operators with a colon. */
const SUFFIX = new RegExp(`^(.+)_(${OPERATORS.filter((name) => factsOf(name).isSuffix).join("|")})$`, "s");

/** Parameters that are not filters. */
export const RESERVED = new Set(
  "q _sort _order _page _limit _start _end _embed _expand _delay callback _ _or _where _fields _per_page _after _group _aggregate _having _by _view".split(
    " ",
  ),
);

/** The facts about an operator, or about the one that it negates. */
export function factsOf(operator: Operator): Facts {
  return OPERATOR_TABLE.find(({ name }) => name === operator.replace("!", "")) as Facts;
}

/** Reads one parameter: `price:gt=10`, `price_gte=10`, `price=10`. */
export function parseCondition(name: string, value: string): Condition {
  const [, path = name, operator = "eq"] = COLON.exec(name) ?? SUFFIX.exec(name) ?? [];
  return { path, operator: operator as Operator, value };
}

/** Reads the form of `_or`: `price:gt=10`; undefined if it is none. */
export function parseConditionText(text: string): Condition | undefined {
  const equals = text.indexOf("=");
  return equals > 0 ? parseCondition(text.slice(0, equals), text.slice(equals + 1)) : undefined;
}

/** The name of its parameter. Equality needs no operator, unless the field's name looks like one or is reserved. */
export function parameterName({ path, operator }: Condition): string {
  const isPlain = operator === "eq" && !COLON.test(path) && !SUFFIX.test(path) && !RESERVED.has(path);
  return isPlain ? path : `${path}:${operator}`;
}

/** The value of its parameter; lists lose the spaces around their commas. */
export function parameterValue({ operator, value }: Condition): string {
  return isList(operator) ? joinList(splitList(value)) : value;
}

/** Whether it asks for something: a condition without a value is still being written. */
export function isComplete(condition: Condition): boolean {
  return parameterValue(condition) !== "";
}

export function isList(operator: Operator): boolean {
  return factsOf(operator).operand === "list";
}

export function splitList(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((value) => value.trim().replaceAll("\\,", ","))
    .filter((value) => value !== "");
}

export function joinList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(",", "\\,")).join(",");
}

/** Whether a record must meet all of several conditions of the same name; of others, the server wants one met. */
export function addsUp(operator: Operator): boolean {
  return operator.startsWith("!") !== factsOf(operator).isExclusion;
}
