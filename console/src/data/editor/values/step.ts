import type { FieldFacts } from "../field-facts.ts";

/** The step of a decimal number that is still empty: prices are the most frequent ones. */
const USUAL_STEP = 0.01;
const MOST_DIGITS = 12;

/** How far an arrow key moves a number: by its rule, or one unit of its last digit. */
function stepOf(text: string, { rule, known }: FieldFacts): number {
  if (rule?.multipleOf !== undefined) return rule.multipleOf;
  if (rule?.type?.includes("integer")) return 1;
  const digits = digitsOf(text);
  if (digits > 0) return 10 ** -digits;
  return known?.types.includes("number") && !known.isWhole ? USUAL_STEP : 1;
}

/** The number that is some steps further, within the range of the rule; undefined if the text is no plain number. */
export function stepped(text: string, steps: number, facts: FieldFacts): string | undefined {
  const from = Number(text);
  if (!Number.isFinite(from) || /[ex]/i.test(text)) return undefined;
  const step = stepOf(text, facts);
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = facts.rule ?? {};
  const least = exclusiveMinimum === undefined ? minimum : Math.max(minimum, exclusiveMinimum + step);
  const most = exclusiveMaximum === undefined ? maximum : Math.min(maximum, exclusiveMaximum - step);
  const to = Math.min(most, Math.max(least, from + steps * step));
  const ends = to === least || to === most ? digitsOf(String(to)) : 0;
  return to.toFixed(Math.min(MOST_DIGITS, Math.max(digitsOf(text), digitsOf(String(step)), ends)));
}

function digitsOf(text: string): number {
  return text.trim().split(".")[1]?.length ?? 0;
}
