import { scannerFor } from "../fast-scan/scanner.ts";
import { needsText } from "./needs-text.ts";

/** A number with fewer digits, and an exponent of fewer than three, is the shortest text of a double. */
const MIN_DIGITS = 16;
const LARGE_EXPONENT = /\d[eE][-+]?\d{3}/g;

/**
 * Whether a JSON text may contain a number that needs its text. Does not know where strings begin, so it may be wrong about a
 * text in which a string contains such a number between spaces or commas.
 */
export function mayHoldExact(text: string, scanner = scannerFor(text)): boolean {
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

/** Examines the number around a part of it. */
function tokenAround(text: string, from: number, to: number): { needsText: boolean; end: number } {
  let start = from;
  while (isNumeric(text.charCodeAt(start - 1))) start--;
  let end = to;
  while (isNumeric(text.charCodeAt(end))) end++;
  const isValue = mayPrecede(text.charCodeAt(start - 1)) && mayFollow(text.charCodeAt(end));
  return { needsText: isValue && needsText(text.slice(start, end)), end };
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** Whether a character can be part of a number. */
export function isNumeric(code: number): boolean {
  return isDigitOrPoint(code) || code === 0x2d || code === 0x2b || code === 0x65 || code === 0x45;
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
