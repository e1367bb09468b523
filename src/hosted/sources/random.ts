/** Numbers from 0 to below 1 that depend on the seed and the place alone: a new operation leaves the others as they are. */
export function seededRandom(seed: number, place: string): () => number {
  let state = seed >>> 0;
  for (let at = 0; at < place.length; at++) state = Math.imul(state ^ place.charCodeAt(at), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
