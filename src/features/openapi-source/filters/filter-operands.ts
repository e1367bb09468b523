import type { Json } from "../../../base/json/json.ts";
import { hasWildcard, operatorMeant } from "./filter-operators.ts";
import type { FilterScanner } from "./filter-scanner.ts";

export const AND = ["and", "&&", "&", ";", "$and:"];
export const OR = ["or", "||", "|", "$or:"];
export const NOT = ["not", "!"];
const CONSTANTS = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["nil", null],
]);

/** The operator at this place, such as `eq`, `>=`, `not in`, `is null`. */
export function operatorAt(pieces: FilterScanner): { readonly operator: string } | undefined {
  const start = pieces.at;
  const { kind, text } = pieces.next();
  const word = kind === "text" ? undefined : text.toLowerCase();
  if (word === "not" || word === "is") {
    const isNot = word === "not" || pieces.take("not");
    if (pieces.take("null", "empty")) return { operator: isNot ? "present" : "absent" };
    const next = pieces.peek().text;
    const operator = word === "not" ? operatorMeant(`not ${next}`) : isNot ? "ne" : "eq";
    if (word === "not" && operator) pieces.next();
    if (operator) return { operator };
  }
  const operator =
    word === undefined || ["(", ")", ",", ";"].includes(word)
      ? undefined
      : operatorMeant(word.replaceAll(/[=|:$](?=\w)|(?<=\w)[=|:]+/g, "").replace(/^\|+\$?/, ""));
  if (operator && !/^(?:and|or|not)$/.test(word ?? "")) return { operator };
  pieces.return(start);
  return undefined;
}

export function operandsAt(
  pieces: FilterScanner,
  operator: string,
  isRsql: boolean,
): { readonly operator: string; readonly values: readonly Json[] } {
  const list = pieces.take("(") ? ")" : pieces.take("[") ? "]" : pieces.take("{") ? "}" : undefined;
  if (list !== undefined) {
    const { values, isRange } = listAt(pieces, list);
    if (isRange) return { operator: "between", values };
    return { operator: operator === "eq" ? "in" : operator === "ne" ? "nin" : operator, values };
  }
  const first = operandAt(pieces, true);
  if (operator === "between") {
    if (!pieces.take("and", ",")) throw pieces.refusal();
    return { operator, values: [first, operandAt(pieces)] };
  }
  if (typeof first === "string" && operator === "eq") {
    const [, sign = "", rest = ""] = /^([<>]=?)(.+)$/.exec(first) ?? [];
    if (sign !== "") return { operator: operatorMeant(sign) ?? operator, values: [typed(rest)] };
    const [, from, to] = /^(.*[^.])\.\.([^.].*)$/.exec(first) ?? [];
    if (from !== undefined && to !== undefined) return { operator: "between", values: [typed(from), typed(to)] };
    const [, word = "", bare = ""] = /^(\w{2,11}):(.+)$/.exec(first) ?? [];
    const named = word === "" || /^\d+$/.test(word) ? undefined : operatorMeant(word);
    if (named) return { operator: named, values: [typed(bare)] };
    if (hasWildcard(first)) return { operator: "contains", values: [first] };
  }
  // `status:open,closed` are two values of one field, `status:open,name:x` two fields.
  const values = [first];
  while ((operator === "eq" || operator === "in" || operator === "nin") && !isRsql && isMoreOfList(pieces))
    values.push(operandAt(pieces));
  return { operator: values.length > 1 && operator === "eq" ? "in" : operator, values };
}

function isMoreOfList(pieces: FilterScanner): boolean {
  const start = pieces.at;
  if (pieces.take(",", "|")) {
    const value = pieces.next();
    const next = pieces.peek();
    const isValue =
      value.kind !== "sign" &&
      value.kind !== "end" &&
      (next.kind === "end" || [",", ";", "|", ")", ...AND, ...OR].includes(next.text.toLowerCase()));
    if (isValue) {
      pieces.return(value.at);
      return true;
    }
  }
  pieces.return(start);
  return false;
}

function listAt(pieces: FilterScanner, end: string): { readonly values: readonly Json[]; readonly isRange: boolean } {
  const values: Json[] = [];
  let isRange = false;
  while (!pieces.take(end)) {
    const value = operandAt(pieces);
    const [, from, to] = typeof value === "string" ? (/^(.*[^.])\.\.([^.].*)$/.exec(value) ?? []) : [];
    if (from !== undefined && to !== undefined) {
      values.push(typed(from), typed(to));
      isRange = true;
    } else values.push(value);
    if (pieces.take("to")) isRange = true;
    else pieces.take(",", "|", ";");
  }
  return { values, isRange };
}

export function valuesUntil(pieces: FilterScanner, end: string): readonly Json[] {
  const values: Json[] = [];
  while (!pieces.take(end)) {
    values.push(operandAt(pieces));
    pieces.take(",");
  }
  return values;
}

/** A value: quoted, a number, a constant, `datetime'...'`, `timestamp("...")`, or words up to the next condition. */
export function operandAt(pieces: FilterScanner, hasSpaces = false): Json {
  const token = pieces.nextValue();
  if (token.kind === "text") return token.text;
  if (token.kind !== "word") throw pieces.refusal(token.at);
  const next = pieces.peek();
  if (next.kind === "text" && next.isJoined) return pieces.next().text;
  if (next.text === "(" && next.isJoined) {
    pieces.expect("(");
    return valuesUntil(pieces, ")")[0] ?? null;
  }
  return typed(hasSpaces ? withSpaces(pieces, token.text) : token.text);
}

/** `John Doe` in `name=John Doe`, where no quotes end a value. */
function withSpaces(pieces: FilterScanner, first: string): string {
  let text = first;
  for (;;) {
    const start = pieces.at;
    const word = pieces.next();
    const isWord = word.kind === "word" && ![...AND, ...OR, ...NOT].includes(word.text.toLowerCase());
    const hasOperator = isWord && operatorAt(pieces) !== undefined;
    if (!isWord || hasOperator || pieces.peek().text === "(") {
      pieces.return(start);
      return text;
    }
    text += ` ${word.text}`;
  }
}

function typed(text: string): Json {
  const constant = CONSTANTS.get(text.toLowerCase());
  if (constant !== undefined) return constant;
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) && !/^-?0\d/.test(text) ? Number(text) : text;
}
