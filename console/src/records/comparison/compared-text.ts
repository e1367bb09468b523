import type { Json } from "../../api/json.ts";
import { valueText } from "./value-text.ts";

/** How much of a value is shown around the place where it differs. */
const LONGEST = 160;
/** Of that, before the place. */
const BEFORE = 40;

/**
 * A value beside another one, such that the difference is seen: `1` and `"1"`, spaces at the end, and texts that begin with
 * the same thousand letters.
 */
export function comparedText(value: Json | undefined, other: Json | undefined): string {
  const words = valueText(value);
  if (value === undefined || other === undefined || words.trim() !== valueText(other).trim()) return words;
  const [text, beside] = [JSON.stringify(value), JSON.stringify(other)];
  const start = Math.max(0, placeOfDifference(text, beside) - BEFORE);
  const shown = text.slice(start, start + LONGEST);
  return `${start > 0 ? "…" : ""}${shown}${start + LONGEST < text.length ? "…" : ""}`;
}

function placeOfDifference(text: string, other: string): number {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return at;
}
