const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

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
