import { ExactNumber } from "../../base/json/exact/exact-number.ts";
import { type Json, stringifyJson } from "../../base/json/json.ts";

/** The value of a part of a formula; undefined where the record has no such field. */
export type Value = Json | undefined;

/** Longer texts are not made, so that nested replacements stay small. */
const MAX_TEXT = 100_000;
/** Digits that a double has for certain: further ones are noise, as in 10 * 1.1. */
const DIGITS = 15;

type Operation = (left: Value, right: Value) => Value;

/** What an operator makes of two values. Throws an `Error` with the reason where it cannot. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "+": (left, right) => {
    const isJoined = typeof left === "string" || typeof right === "string";
    return isJoined ? ofBoth(left, right, () => joined([left, right])) : calculate(left, right, (a, b) => a + b);
  },
  "-": (left, right) => calculate(left, right, (a, b) => a - b),
  "*": (left, right) => calculate(left, right, (a, b) => a * b),
  "/": (left, right) => calculate(left, right, (a, b) => a / b),
  "%": (left, right) => calculate(left, right, (a, b) => a % b),
  "=": isSame,
  "==": isSame,
  "!=": (left, right) => !isSame(left, right),
  "<>": (left, right) => !isSame(left, right),
  "<": (left, right) => compare(left, right, (order) => order < 0),
  "<=": (left, right) => compare(left, right, (order) => order <= 0),
  ">": (left, right) => compare(left, right, (order) => order > 0),
  ">=": (left, right) => compare(left, right, (order) => order >= 0),
};

export function calculate(left: Value, right: Value, of: (left: number, right: number) => number): Value {
  return ofBoth(left, right, () => result(of(asNumber(left), asNumber(right))));
}

/** A number without the noise of binary fractions. */
export function result(value: number): number {
  if (!Number.isFinite(value)) throw new Error("the result is not a number, for example because of a division by 0");
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
}

/** Nothing can be made of a value that is not there, so that the result is not there either. */
function ofBoth(left: Value, right: Value, of: () => Value): Value {
  if (left === undefined || right === undefined) return undefined;
  return left === null || right === null ? null : of();
}

export function asNumber(value: Value): number {
  if (typeof value === "number") return value;
  if (value instanceof ExactNumber) return value.nearest;
  const hint = typeof value === "string" ? "; number(…) reads one from a text" : "";
  throw new Error(`a number is needed here, not ${kindWords(value)}${hint}`);
}

/** A plain value as text; nothing of one that is not there. */
export function asText(value: Value): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "object" && !(value instanceof ExactNumber)) {
    throw new Error(`a text is needed here, not ${kindWords(value)}`);
  }
  return String(value);
}

export function joined(values: readonly Value[]): string {
  const texts = values.map(asText);
  expectShort(texts.reduce((sum, { length }) => sum + length, 0));
  return texts.join("");
}

export function expectShort(length: number): void {
  if (length > MAX_TEXT) throw new Error(`the text has ${length} characters; at most ${MAX_TEXT} are made`);
}

export function kindWords(value: Value): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || value instanceof ExactNumber) return "a number";
  return { string: "a text", boolean: "true or false", object: "an object" }[typeof value as "string"];
}

/** A field that is not there counts as null. */
export function isSame(left: Value, right: Value): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === b) return true;
  if (typeof a !== "object" && typeof b !== "object") return false;
  return a !== null && b !== null && stringifyJson(a) === stringifyJson(b);
}

function compare(left: Value, right: Value, of: (order: number) => boolean): Value {
  return ofBoth(left, right, () => {
    if (typeof left === "string" && typeof right === "string") return of(left < right ? -1 : left > right ? 1 : 0);
    return of(asNumber(left) - asNumber(right));
  });
}
