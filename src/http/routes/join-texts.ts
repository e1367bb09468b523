import { atOnce, inSlices, MAX_AT_ONCE, STEP, type Work } from "../../slices.ts";

/** The texts of all elements, separated by commas. Pauses for other requests if there are many. */
export async function joinTexts<T>(elements: readonly T[], textOf: (element: T) => string): Promise<string> {
  const work = textsOf(elements, textOf);
  const texts = elements.length > MAX_AT_ONCE ? await inSlices(work) : atOnce(work);
  return texts.join(",");
}

function* textsOf<T>(elements: readonly T[], textOf: (element: T) => string): Work<string[]> {
  const texts: string[] = [];
  for (const element of elements) if (texts.push(textOf(element)) % STEP === 0) yield;
  return texts;
}
