import { distance } from "fastest-levenshtein";

/** The known name a person most likely meant, or undefined when none is near enough to be a typing mistake. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  // Two exchanged letters are a distance of two, so four letters may differ by that much.
  let bestDistance = Math.max(given.length < 4 ? 1 : 2, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    // A name much longer or shorter cannot be near, and a long one would cost time.
    if (Math.abs(name.length - given.length) >= bestDistance) continue;
    const far = distance(wanted, name.toLowerCase());
    if (far < bestDistance) {
      best = name;
      bestDistance = far;
    }
  }
  return best;
}

/** ` Did you mean "products"?`, or nothing: made to be appended to a message. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearest(given, known);
  return name === undefined ? "" : ` Did you mean "${name}"?`;
}
