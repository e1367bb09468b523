/** Stands around every word of a vocabulary, and between the texts of a record. */
export const SEPARATOR = "\0";
/** Stand at the start and the end of a text, as letters of its first and last word, where searches ask for them. */
export const TEXT_START = "\u0002";
export const TEXT_END = "\u0003";

/** Whether a text has one of these by itself. */
export function hasMark(text: string): boolean {
  return text.includes(TEXT_START) || text.includes(TEXT_END);
}

const ASCII = 128;
const ASCII_LETTERS = `0123456789abcdefghijklmnopqrstuvwxyz${TEXT_START}${TEXT_END}`;
const IS_LETTER = Uint8Array.from({ length: ASCII }, (_, code) =>
  ASCII_LETTERS.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether a character of a text in lower case belongs to a word: digits and letters do, and all beyond ASCII. */
export function isLetter(code: number): boolean {
  return code >= ASCII || IS_LETTER[code] === 1;
}

/** Whether a text is one word between no marks. It contains no text but parts of words. */
export function isBareWord(text: string): boolean {
  return !text.startsWith(TEXT_START) && isOneWord(text);
}

/** Whether a text is part of one word. */
export function isOneWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isLetter(text.charCodeAt(at))) return false;
  return text !== "";
}

/**
 * The parts of words that a text contains if it contains the literal. Where the literal has the end of a word, there is a
 * separator: "wooden ch" has "wooden\0" and "\0ch".
 */
export function needlesOf(literal: string): string[] {
  const needles: string[] = [];
  for (let start = 0, at = 0; at <= literal.length; at++) {
    if (at < literal.length && isLetter(literal.charCodeAt(at))) continue;
    const word = literal.slice(start, at);
    if (word) needles.push(`${start > 0 ? SEPARATOR : ""}${word}${at < literal.length ? SEPARATOR : ""}`);
    start = at + 1;
  }
  return needles;
}
