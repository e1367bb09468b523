import { distance as editDistance } from "fastest-levenshtein";

/** The known name that was most likely meant; undefined when none is near enough to be a typing mistake. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  // Two transposed letters are a distance of two, so names from four letters on may differ by that much.
  let bestDistance = Math.max(given.length < 4 ? 1 : 2, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    // A much longer or shorter name cannot be near; skipping it saves time.
    if (Math.abs(name.length - given.length) >= bestDistance) continue;
    const far = editDistance(wanted, name.toLowerCase());
    if (far < bestDistance) {
      best = name;
      bestDistance = far;
    }
  }
  return best;
}

/** ` Did you mean "products"?`, or an empty text, to be appended to a message. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? "" : ` Did you mean "${name}"?`;
}
