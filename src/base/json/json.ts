import { atOnce } from "../slices.ts";
import { findSyntaxError } from "./json-syntax.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
export function parseJson<T = Json>(text: string): T {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return mayNeedDigits(source) ? restored<T>(JSON.parse(marked(source))) : JSON.parse(source);
  } catch {
    // JSON.parse reports no position for most mistakes, so an invalid text is read a second time.
    throw atOnce(findSyntaxError(source)) ?? new Error("the text is JSON, but cannot be parsed");
  }
}

/** The result of `JSON.stringify`, with the digits that were read. */
export function stringifyJson(value: unknown, indent?: number | string): string {
  if (!isUsed) return JSON.stringify(value, null, indent);
  let isMarked = false;
  const text = JSON.stringify(
    value,
    function (this: Container, key, inner: unknown) {
      const digits = typeof inner === "number" ? this[DIGITS]?.get(key) : undefined;
      // Another double was written in its place.
      if (digits === undefined || Number(digits) !== inner) return inner;
      isMarked = true;
      return mark() + digits;
    },
    indent,
  );
  return isMarked ? text.replace(new RegExp(`"${mark()}([^"]+)"`, "g"), "$1") : text;
}

/** A copy that shares nothing with the value. */
export function cloneJson<T>(value: T): T {
  return value === undefined ? value : parseJson<T>(stringifyJson(value));
}

/**
 * Numbers that no double has, such as 9007199254740993. A program sees, compares and calculates with the nearest double;
 * Unchanged JSON keeps all digits. The object or array that was parsed remembers them under a symbol, which
 * spreading and `Object.assign` copy: a record keeps the digits of each field that a change leaves alone.
 */
const DIGITS = Symbol("digits");

/** The digits of members whose double is not their value, by key. */
type Digits = ReadonlyMap<string, string>;
interface Container {
  [key: string]: unknown;
  [DIGITS]?: Digits;
}

/** A number with fewer digits, and an exponent of fewer than three, is the shortest text of a double. */
const MIN_DIGITS = 16;
const LARGE_EXPONENT = /\d[eE][-+]?\d{3}/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;
const NUMERIC = /[-+.eE\d]*/y;
const BEFORE_COLON = /[ \n\r\t]*:/y;

/** Begins the strings that stand for such numbers. Drawn when first used: edge platforms bar randomness while they load. */
let drawn: string | undefined;
const mark = (): string => (drawn ??= `digits ${crypto.randomUUID()}: `);
/** As long as no such number was read, nothing is looked for when JSON is written. */
let isUsed = false;

/** Whether a JSON text may contain such a number; also true of some texts that have none. */
export function mayNeedDigits(json: string): boolean {
  // Every start reads all data this way: to look at each character would take as long as parsing it.
  for (let at = MIN_DIGITS - 1; at < json.length; at += MIN_DIGITS) {
    let start = at;
    while (isDigitOrPoint(json.charCodeAt(start))) start--;
    while (isDigitOrPoint(json.charCodeAt(at))) at++;
    if (at - start > MIN_DIGITS) return true;
  }
  return LARGE_EXPONENT.test(json);
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** The fields of `before` with those of `change` in their place. */
export function withChange<T extends object>(before: T, change: object): T {
  const changed = { ...before, ...change } as Container;
  const kept = (before as Container)[DIGITS];
  if (kept) {
    const others = [...kept].filter(([key]) => !Object.hasOwn(change, key));
    changed[DIGITS] = new Map([...others, ...((change as Container)[DIGITS] ?? [])]);
  }
  return changed as T;
}

/** Gives a value that a program wrote the digits of an earlier one, wherever it still has their nearest doubles. */
export function keepDigits<T>(value: T, before: unknown): T {
  if (!isUsed || !isContainer(value) || !isContainer(before) || Array.isArray(value) !== Array.isArray(before))
    return value;
  const container: Container = value;
  const digits = [...(before[DIGITS] ?? [])].filter(([key, text]) => {
    if (!Object.hasOwn(value, key)) return false;
    // JSON has no Infinity, the nearest double of 1e400.
    if (container[key] === null && !Number.isFinite(Number(text))) container[key] = Number(text);
    return container[key] === Number(text);
  });
  if (digits.length > 0) container[DIGITS] = new Map([...digits, ...(container[DIGITS] ?? [])]);
  for (const key of Object.keys(before)) if (Object.hasOwn(value, key)) keepDigits(container[key], before[key]);
  return value;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** Puts a marked string in place of every number that needs its digits. Text that is not JSON stays invalid. */
function marked(text: string): string {
  let result = "";
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code !== 0x2d && !(code >= 0x30 && code <= 0x39)) at++;
    else {
      const start = at;
      NUMERIC.lastIndex = at;
      NUMERIC.test(text);
      at = NUMERIC.lastIndex;
      const token = text.slice(start, at);
      BEFORE_COLON.lastIndex = at;
      // A number is no key, but its string would be one.
      if (!needsDigits(token) || BEFORE_COLON.test(text)) continue;
      result += `${text.slice(done, start)}"${mark()}${token}"`;
      done = at;
    }
  }
  return result + text.slice(done);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) return text.length;
    let first = end;
    while (text.charCodeAt(first - 1) === 0x5c) first--;
    if ((end - first) % 2 === 0) return end + 1;
    at = end + 1;
  }
}

/** Replaces marked strings, in place. Without recursion: the text may be nested deeply. */
function restored<T>(root: unknown): T {
  const holder: Container = { root };
  const open = [holder];
  for (let container = open.pop(); container; container = open.pop()) {
    const digits = new Map<string, string>();
    for (const key of Object.keys(container)) {
      const value = container[key];
      if (isContainer(value)) open.push(value);
      else if (typeof value === "string" && value.startsWith(mark())) digits.set(key, value.slice(mark().length));
    }
    if (digits.size === 0) continue;
    isUsed = true;
    container[DIGITS] = digits;
    // Defined rather than set, because the key may be `__proto__`.
    for (const [key, text] of digits) Object.defineProperty(container, key, { value: Number(text) });
  }
  return holder.root as T;
}

/** Whether a JSON number changes its value if it becomes a double and is written again; false for other texts. */
function needsDigits(token: string): boolean {
  const nearest = String(Number(token));
  return nearest !== token && NUMBER.test(token) && decimalOf(nearest) !== decimalOf(token);
}

/** The same text for all ways to write the same value. */
function decimalOf(number: string): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  // Infinity, which no JSON number is.
  if (whole === undefined) return number;
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  const significant = digits.slice(0, end).replace(/^0+/, "");
  // The zero of a negative number is zero.
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - end}`;
}
