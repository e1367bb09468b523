import type { Randomness } from "../../schema/generate/randomness.ts";

/** ``Can be one of the following, `1` (Primary), `2` (Secondary)`` */
const LEAD = /\b(?:one of|can be|either|values?|options?)\b/i;
const QUOTED = /[`"'](-?\d{1,6})[`"']/g;
/** `10(Low), 20(Medium)`, `0 = off, 1 = on` */
const LABELLED = /(?:^|[\s,;(`"'])(-?\d{1,4})[`"']? ?(?:=|:|-|\() ?["'`]?[A-Za-z]/g;
/** `from 0.0 to 1.0`, `between -60 and 0`, `(0-6)` */
const RANGE =
  /(?:\b(?:between|from|ranges?|ranging(?: from)?)[ :]+|\()(-?\d+(?:\.\d+)?) ?(?:-|to|and|through) ?(-?\d+(?:\.\d+)?)(?= |\)|[.,;]|$)/i;
const DIGITS = 3;

interface Known {
  readonly example: number | undefined;
  readonly random: Randomness;
}

/** A number that a description names, or one of the range that it tells; undefined where it does neither. */
export function describedNumber(description = "", { example, random }: Known): number | undefined {
  const quoted = LEAD.test(description) ? numbersIn(description, QUOTED) : [];
  const named = quoted.length > 1 ? quoted : numbersIn(description, LABELLED);
  if (named.length > 1) return random.pick(named);
  const [, from, to] = RANGE.exec(description) ?? [];
  const [least, most] = [Number(from), Number(to)];
  const isRange = least < most && (example === undefined || (example >= least && example <= most));
  if (!isRange) return undefined;
  const isWhole = [from, to].every((text) => !text?.includes(".")) && Number.isInteger(example ?? 0);
  return isWhole ? random.between(least, most) : Number((least + random.next() * (most - least)).toFixed(DIGITS));
}

function numbersIn(text: string, form: RegExp): number[] {
  return [...new Set([...text.matchAll(form)].map(([, digits]) => Number(digits)))];
}
