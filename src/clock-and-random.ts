/** Numbers from 0 up to 1 that look random, and are the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed for each of several things that must not depend on each other's turns (FNV-1a). */
export function seedFor(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ (seed >>> 0);
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** What differs from run to run, unless it is told not to. */
export interface Chance {
  now(): number;
  random(): number;
}

/** With a time it stands still there; with a seed the dice always fall alike. */
export function createChance(clock?: number | (() => number), seed?: number): Chance {
  const now = typeof clock === "number" ? () => clock : (clock ?? Date.now);
  return { now, random: seed === undefined ? Math.random : createRandom(seedFor(seed, "layers")) };
}
