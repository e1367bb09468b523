import { ExactNumber, exactMark } from "./exact-number.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** The result of JSON.parse, in which a number that no double can hold is an `ExactNumber`. */
export function parseMarked(text: string): unknown {
  return unmarked(JSON.parse(markExact(text)));
}

/** Puts a marked string in place of every number that needs its text. What is no JSON stays none. */
function markExact(text: string): string {
  const mark = exactMark();
  let marked = "";
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code !== 0x2d && !(code >= 0x30 && code <= 0x39)) at++;
    else {
      const start = at;
      while (isNumeric(text.charCodeAt(at))) at++;
      const token = text.slice(start, at);
      // A number before a colon is no key, but its string would be one.
      if (!needsText(token) || isBeforeColon(text, at)) continue;
      marked += `${text.slice(done, start)}"${mark}${token}"`;
      done = at;
    }
  }
  return marked + text.slice(done);
}

function isBeforeColon(text: string, at: number): boolean {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return text.charCodeAt(next) === 0x3a;
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
function unmarked(root: unknown): unknown {
  const holder = [root];
  const open: object[] = [holder];
  const mark = exactMark();
  const exactOr = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) open.push(value);
    return typeof value === "string" && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value;
  };
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let at = 0; at < container.length; at++) container[at] = exactOr(container[at]);
      continue;
    }
    for (const key of Object.keys(container)) {
      const value = exactOr((container as Record<string, unknown>)[key]);
      // Defined rather than set, because the key may be `__proto__`.
      if (value instanceof ExactNumber) Object.defineProperty(container, key, { value });
    }
  }
  return holder[0];
}

/** Examines the number around a part of it. */
export function tokenAround(text: string, from: number, to: number): { needsText: boolean; end: number } {
  let start = from;
  while (isNumeric(text.charCodeAt(start - 1))) start--;
  let end = to;
  while (isNumeric(text.charCodeAt(end))) end++;
  const isValue = mayPrecede(text.charCodeAt(start - 1)) && mayFollow(text.charCodeAt(end));
  return { needsText: isValue && needsText(text.slice(start, end)), end };
}

/** Whether a character can be part of a number. */
export function isNumeric(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x65 || code === 0x45
  );
}

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** `[`, `,`, `:`, white space or the beginning of the text. */
function mayPrecede(code: number): boolean {
  return code === 0x5b || code === 0x2c || code === 0x3a || isSpace(code) || Number.isNaN(code);
}

/** `]`, `}`, `,`, white space or the end of the text. */
function mayFollow(code: number): boolean {
  return code === 0x5d || code === 0x7d || code === 0x2c || isSpace(code) || Number.isNaN(code);
}

/** Whether a JSON number changes its value if it becomes a double and is written again; false for other texts. */
export function needsText(token: string): boolean {
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
