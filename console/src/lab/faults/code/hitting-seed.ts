/**
 * The smallest seed with which a fault of this probability meets the very first request: a test that copies the rule does
 * not depend on luck. The server draws with mulberry32.
 */
export function hittingSeed(probability: number): number {
  let seed = 1;
  while (firstDraw(seed) >= probability && seed < 1_000_000) seed++;
  return seed;
}

function firstDraw(seed: number): number {
  const state = (seed + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
