/** Tests of single characters by their code, for formats that are read character by character. */

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

/** The number of digits from a position on. */
export function countDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at - from;
}

/** A set of ASCII characters, by their code. */
export function charactersOf(text: string): readonly boolean[] {
  const set = new Array<boolean>(128).fill(false);
  for (const character of text) set[character.charCodeAt(0)] = true;
  return set;
}

export const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
