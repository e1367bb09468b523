import { inSlices, MAX_AT_ONCE, STEP, type Work } from "../../slices.ts";

/** The texts of all elements, separated by commas. Pauses for other requests if there are many. */
export async function joinTexts<T>(elements: readonly T[], textOf: (element: T) => string): Promise<string> {
  if (elements.length <= MAX_AT_ONCE) return elements.map(textOf).join(",");
  const texts = await inSlices(textsOf(elements, textOf));
  return texts.join(",");
}

function* textsOf<T>(elements: readonly T[], textOf: (element: T) => string): Work<string[]> {
  const texts: string[] = [];
  for (const element of elements) if (texts.push(textOf(element)) % STEP === 0) yield;
  return texts;
}
