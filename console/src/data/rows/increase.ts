/** A number to add, or a percentage such as `10%`. */
const AMOUNT = /^\s*([+-]?\d+(?:\.\d+)?)\s*(%?)\s*$/;

/** What an amount makes of a number; undefined if the amount cannot be read. Percentages are rounded to two decimals. */
export function increaseBy(amount: string): ((value: number) => number) | undefined {
  const [, number, percent] = AMOUNT.exec(amount) ?? [];
  if (number === undefined) return undefined;
  const by = Number(number);
  if (percent === "%") return (value) => Math.round(Number((value * (100 + by)).toPrecision(15))) / 100;
  // 0.1 + 0.2 is 0.3.
  return (value) => Number((value + by).toPrecision(15));
}
