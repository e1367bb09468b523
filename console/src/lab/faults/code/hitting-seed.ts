import { seededRandom } from "../../../ui/seeded-random.ts";

/**
 * The smallest seed with which a fault of this probability meets the very first request: a test that copies the rule does
 * not depend on luck.
 */
export function hittingSeed(probability: number): number {
  let seed = 1;
  while (seededRandom(seed)() >= probability && seed < 1_000_000) seed++;
  return seed;
}
