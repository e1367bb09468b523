import { charactersOf, countDigits, isHexDigit, LETTERS_AND_DIGITS } from "./characters.ts";

const OPERATORS = "+#./;?&=,!@|";
const VARIABLE = charactersOf(`${LETTERS_AND_DIGITS}_.%`);
const OUTSIDE_TEMPLATE = charactersOf("\"'%<>\\^`{|} ");

export function isUuid(text: string): boolean {
  if (text.length !== 36) return false;
  for (let at = 0; at < 36; at++) {
    const code = text.charCodeAt(at);
    const isDash = at === 8 || at === 13 || at === 18 || at === 23;
    if (isDash ? code !== 0x2d : !isHexDigit(code)) return false;
  }
  return true;
}

/** RFC 6901. */
export function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && hasGoodTildes(text));
}

/** A number of levels to go up, then `#` or a JSON pointer. */
export function isRelativeJsonPointer(text: string): boolean {
  const digits = countDigits(text, 0);
  if (digits === 0 || (digits > 1 && text.startsWith("0"))) return false;
  const rest = text.slice(digits);
  return rest === "#" || isJsonPointer(rest);
}

function hasGoodTildes(text: string): boolean {
  for (let at = text.indexOf("~"); at !== -1; at = text.indexOf("~", at + 1)) {
    const next = text[at + 1];
    if (next !== "0" && next !== "1") return false;
  }
  return true;
}

/** RFC 6570. */
export function isUriTemplate(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) {
      const end = text.indexOf("}", at);
      if (end === -1 || !isExpression(text.slice(at + 1, end))) return false;
      at = end;
    } else if (code === 0x25) {
      if (!isHexDigit(text.charCodeAt(at + 1)) || !isHexDigit(text.charCodeAt(at + 2))) return false;
      at += 2;
    } else if (code < 0x20 || code === 0x7f || (code < 128 && OUTSIDE_TEMPLATE[code])) return false;
  }
  return true;
}

function isExpression(text: string): boolean {
  const list = text !== "" && OPERATORS.includes(text[0]!) ? text.slice(1) : text;
  return list.split(",").every(isVariable);
}

function isVariable(text: string): boolean {
  const colon = text.indexOf(":");
  const name = colon !== -1 ? text.slice(0, colon) : text.endsWith("*") ? text.slice(0, -1) : text;
  if (colon !== -1) {
    const digits = countDigits(text, colon + 1);
    if (digits === 0 || digits > 4 || colon + 1 + digits !== text.length || text[colon + 1] === "0") return false;
  }
  if (name === "" || name.startsWith(".") || name.endsWith(".")) return false;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code >= 128 || !VARIABLE[code]) return false;
  }
  return true;
}
