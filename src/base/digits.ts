/** Numbers of more digits are read with more care. */
const MAX_DIGITS = 9;

/** The number that a few digits write, as nearly all are given; undefined for any other text. */
export function digitsIn(text: string): number | undefined {
  if (text === "" || text.length > MAX_DIGITS) return undefined;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}
