import type { Eventually } from "../../base/eventually.ts";
import { promptly, STEP, type Work } from "../../base/slices.ts";

/** The texts of all elements, separated by commas. Pauses for other requests if they take longer than a slice. */
export function joinTexts<T>(elements: readonly T[], textOf: (element: T) => string): Eventually<string> {
  // Hot path: most lists are short.
  if (elements.length <= STEP) return elements.map(textOf).join(",");
  return promptly(joinInSteps(elements, textOf));
}

/** The same as work that can pause. */
export function* joinInSteps<T>(elements: readonly T[], textOf: (element: T) => string): Work<string> {
  let text = "";
  for (let from = 0; from < elements.length; from += STEP) {
    const part = elements
      .slice(from, from + STEP)
      .map(textOf)
      .join(",");
    text = from === 0 ? part : `${text},${part}`;
    yield;
  }
  return text;
}
