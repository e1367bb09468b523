import { ExactNumber } from "../exact/exact-number.ts";
import type { Json } from "../json.ts";

/** Longer JSON texts are parsed, written and sent in pieces, so that other requests can run in between. */
export const LARGE_TEXT = 64 * 1024;
const MAX_VALUES = 2000;

/** Whether a value is small enough to be read or written at once: at most a few thousand values and some text. */
export function isLight(value: Json): boolean {
  return spend(value, { values: MAX_VALUES, letters: LARGE_TEXT });
}

interface Budget {
  values: number;
  letters: number;
}

function spend(value: Json, budget: Budget): boolean {
  if (--budget.values < 0) return false;
  if (typeof value === "string") {
    budget.letters -= value.length;
    return budget.letters >= 0;
  }
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof ExactNumber) return spend(value.text, budget);
  if (Array.isArray(value)) {
    if (value.length > budget.values) return false;
    for (const element of value) if (!spend(element, budget)) return false;
    return true;
  }
  for (const key in value) {
    budget.letters -= key.length;
    if (budget.letters < 0 || !spend(value[key]!, budget)) return false;
  }
  return true;
}
