import { createCharacters } from "./characters.ts";
import type { Masking } from "./masking.ts";

export const SPACE = " \t\r\n\v\f";
const isQuote = createCharacters("\"'`");
/** Characters that end a name before `=` or `:`, and those that may be between the two. */
const endsName = createCharacters(`${SPACE}&?#;,"'\`<>(){}=/:@|!$*\\`);
const isPadding = createCharacters("\"'`\\ ");
const endsValue = createCharacters(`${SPACE}&"'\`<>`);
const EQUALS = "=".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const SCHEME = /^(?:Basic|Bearer|Digest|Token)[ \t]+/i;

/** Masks the values after secret names. Linear: reads no character of a name or value twice. */
export function maskNamed(text: string, isReport: boolean, masking: Masking): string {
  const endOfValue = createEndOfValue(text);
  let masked = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== EQUALS && code !== COLON) continue;
    const name = nameBefore(text, at, copied);
    if (!masking.isSecret(decoded(name)) && !(code === EQUALS && isCodeInAddress(text, at, name))) continue;
    const [start, end] =
      code === EQUALS ? [at + 1, endOfValue(at + 1)] : valueAfterColon(text, at + 1, { isReport, endOfValue });
    if (start === end) continue;
    masked += text.slice(copied, start) + masking.replace(text.slice(start, end), decoded(name));
    copied = end;
    at = end - 1;
  }
  return masked + text.slice(copied);
}

/** Whether a name before `=` is the `code` of a query string, such as `https://host/path?code=abc`. */
function isCodeInAddress(text: string, sign: number, name: string): boolean {
  const before = text[sign - name.length - 1];
  return (before === "?" || before === "&") && isOAuthCode(decoded(name));
}

function nameBefore(text: string, sign: number, limit: number): string {
  let end = sign;
  while (end > limit && isPadding(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > limit && !endsName(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

/** Creates a function that finds the end of a value; call it from left to right. */
function createEndOfValue(text: string): (from: number) => number {
  let end = 0;
  return (from) => {
    // `{ token="abc" }`: the quote belongs to the value.
    if (isQuote(text.charCodeAt(from))) {
      const closing = text.indexOf(text.charAt(from), from + 1);
      return closing === -1 ? text.length : closing + 1;
    }
    if (end < from) end = from;
    while (end < text.length && !endsValue(text.charCodeAt(end))) end++;
    return end;
  };
}

/** The start and end of a value after a colon: in quotes, after the scheme of a header, or alone on its line. */
function valueAfterColon(
  text: string,
  from: number,
  { isReport, endOfValue }: { isReport: boolean; endOfValue: (from: number) => number },
): [start: number, end: number] {
  let start = from;
  while (text[start] === " " || text[start] === "\\") start++;
  if (isQuote(text.charCodeAt(start))) {
    const closing = text.indexOf(text.charAt(start), start + 1);
    let end = closing === -1 ? text.length : closing;
    while (end > start + 1 && text[end - 1] === "\\") end--;
    return [start + 1, end];
  }
  const scheme = SCHEME.exec(text.slice(start, start + 16));
  if (scheme) return [start + scheme[0].length, endOfValue(start + scheme[0].length)];
  // `auth.js:12:3` is a position in a stack trace.
  if (!isReport || start === from) return [start, start];
  const end = endOfValue(start);
  return /^\s*(?:$|[\r\n])/.test(text.slice(end, end + 8)) ? [start, end] : [start, start];
}

/** In an address, `code` is what OAuth trades for a token. In a body, it is that of an error, a country or a product. */
export function isOAuthCode(name: string): boolean {
  return /^code$/i.test(name);
}

/** Decodes each escape by itself, so that a broken one affects no other; secret names are ASCII, so one byte suffices. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
