/** More digits than this are not lined up: the column would be mostly empty. */
const MOST_DIGITS = 6;

/** The digits behind the decimal point of a number, as far as they are lined up. */
export function fractionDigits(value: number): number {
  const text = String(value);
  const point = text.indexOf(".");
  return point === -1 || text.includes("e") ? 0 : Math.min(MOST_DIGITS, text.length - point - 1);
}

/** The text that, put behind a number, brings its decimal point below that of a number with so many digits. */
export function decimalPad(value: number, digits: number): string {
  const own = fractionDigits(value);
  if (own >= digits || String(value).includes("e")) return "";
  return `${own === 0 ? "." : ""}${"0".repeat(digits - own)}`;
}
