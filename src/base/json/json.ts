import { atOnce } from "../slices.ts";
import { ExactNumber, exactMark, marking } from "./exact/exact-number.ts";
import { parseMarked, tokenAround } from "./exact/exact-parts.ts";
import { MIN_SCANNED, scannerFor } from "./fast-scan/scanner.ts";
import { findSyntaxError } from "./json-syntax.ts";

/** A JSON value. `ExactNumber` only where no double has the number's value. */
export type Json = null | boolean | number | ExactNumber | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Longer JSON texts are parsed, written and sent in pieces, so that other requests can run in between. */
export const LARGE_TEXT = 64 * 1024;
const MAX_VALUES = 2000;
/** A number with fewer digits, and an exponent of fewer than three, is the shortest text of a double. */
const MIN_DIGITS = 16;
const LARGE_EXPONENT = /\d[eE][-+]?\d{3}/g;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Takes a value of our own types for JSON: TypeScript knows no JSON in interfaces and readonly lists. */
export function toJson(value: unknown): Json {
  return value as Json;
}

/** Sets a field, even one named `__proto__`, which must not reach the setter of that name. */
export function setField(object: JsonObject, name: string, value: Json): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Parses JSON, ignoring a leading byte order mark; throws a `JsonSyntaxError` that names line and column. */
export function parseJson(text: string): Json {
  const source = withoutMark(text);
  try {
    return parseExact(source);
  } catch {
    // JSON.parse reports no position for most mistakes, so an invalid text is read a second time.
    throw atOnce(findSyntaxError(source)) ?? new Error("the text is JSON, but cannot be parsed");
  }
}

/** Removes a leading byte order mark. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The result of JSON.parse, in which a number that no double can hold is an `ExactNumber`. */
export function parseExact<T = Json>(text: string): T {
  return (mayHoldExact(text) ? parseMarked(text) : JSON.parse(text)) as T;
}

/**
 * Whether a JSON text may contain a number that needs its text. Does not know where strings begin, so it may be wrong about a
 * text in which a string contains such a number between spaces or commas.
 */
export function mayHoldExact(
  text: string,
  scanner = text.length < MIN_SCANNED ? undefined : scannerFor(text),
): boolean {
  if (!scanner) return mayHoldExactHere(text);
  let isFound = false;
  scanner.findNumbers(text, (place) => {
    const token = tokenAround(text, place, place + 1);
    isFound = token.needsText;
    return isFound ? text.length : token.end;
  });
  return isFound;
}

/** Looks at every 16th character and searches for large exponents, which takes a tenth of the time of parsing. */
function mayHoldExactHere(text: string): boolean {
  for (let at = MIN_DIGITS - 1; at < text.length; at += MIN_DIGITS) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigitOrPoint(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isDigitOrPoint(text.charCodeAt(end))) end++;
    if (end - start < MIN_DIGITS) continue;
    const token = tokenAround(text, start, end);
    if (token.needsText) return true;
    // The next look is at the first character behind the token that this loop would have looked at anyway.
    at += Math.floor((token.end - at) / MIN_DIGITS) * MIN_DIGITS;
  }
  LARGE_EXPONENT.lastIndex = 0;
  while (LARGE_EXPONENT.test(text)) {
    const token = tokenAround(text, LARGE_EXPONENT.lastIndex - 1, LARGE_EXPONENT.lastIndex);
    if (token.needsText) return true;
    LARGE_EXPONENT.lastIndex = token.end;
  }
  return false;
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** The result of JSON.stringify, in which exact numbers have their own texts. Takes no longer for other values. */
export function stringifyJson(value: unknown, indent?: number): string {
  marking.isOn = true;
  marking.count = 0;
  try {
    const text = indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
    return marking.count === 0 ? text : text.replace(new RegExp(`"${exactMark()}([^"]+)"`, "g"), "$1");
  } finally {
    marking.isOn = false;
  }
}

/** Whether a value is small enough to be read or written at once: at most a few thousand values and some text. */
export function isLight(value: Json): boolean {
  return spend(value, { values: MAX_VALUES, letters: LARGE_TEXT });
}

interface Budget {
  values: number;
  letters: number;
}

function spend(value: Json, budget: Budget): boolean {
  if (--budget.values < 0) return false;
  if (typeof value === "string") {
    budget.letters -= value.length;
    return budget.letters >= 0;
  }
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof ExactNumber) return spend(value.text, budget);
  if (Array.isArray(value)) {
    if (value.length > budget.values) return false;
    for (const element of value) if (!spend(element, budget)) return false;
    return true;
  }
  // Hot path: most members are texts and numbers, which need no call of their own.
  for (const key in value) {
    const member = value[key]!;
    budget.letters -= key.length;
    if (typeof member === "string") budget.letters -= member.length;
    else if (typeof member === "object" && !spend(member, budget)) return false;
    if (typeof member !== "object") budget.values--;
    if (budget.letters < 0 || budget.values < 0) return false;
  }
  return true;
}
