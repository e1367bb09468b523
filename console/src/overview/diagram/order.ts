import type { Place, Segment } from "./lanes.ts";

/** Rounds of improvement; more change little. */
const ROUNDS = 12;

/** Sorts each rank so that few lines cross: every place moves to the middle of those that it is connected with. */
export function orderRanks(ranks: readonly (readonly Place[])[], segments: readonly Segment[]): Place[][] {
  let current = ranks.map((rank) => [...rank]);
  let best = current;
  let fewest = crossings(current, segments);
  for (let round = 0; round < ROUNDS && fewest > 0; round++) {
    current = sweep(current, segments, round % 2 === 0);
    const count = crossings(current, segments);
    if (count >= fewest) continue;
    fewest = count;
    best = current;
  }
  return best;
}

/** Goes through the ranks from either end, and sorts each by the one before. */
function sweep(ranks: readonly Place[][], segments: readonly Segment[], isFromStart: boolean): Place[][] {
  const sorted = ranks.map((rank) => [...rank]);
  const at = positionsIn(sorted);
  const neighbours = new Map<Place, Place[]>();
  for (const { near, far } of segments) {
    const [place, other] = isFromStart ? [far.place, near.place] : [near.place, far.place];
    neighbours.set(place, [...(neighbours.get(place) ?? []), other]);
  }
  for (const rank of isFromStart ? sorted : sorted.toReversed()) {
    const wanted = new Map(rank.map((place) => [place, middle(neighbours.get(place) ?? [place], at)]));
    rank.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    for (const [index, place] of rank.entries()) at.set(place, index);
  }
  return sorted;
}

function middle(places: readonly Place[], at: ReadonlyMap<Place, number>): number {
  return places.reduce((sum, place) => sum + (at.get(place) ?? 0), 0) / places.length;
}

/** How many pairs of lines cross. */
export function crossings(ranks: readonly (readonly Place[])[], segments: readonly Segment[]): number {
  const at = positionsIn(ranks);
  const byRank = ranks.map((_, rank) => segments.filter(({ near }) => near.place.rank === rank));
  let count = 0;
  for (const group of byRank) {
    const ends = group.map(({ near, far }) => [at.get(near.place) ?? 0, at.get(far.place) ?? 0] as const);
    for (const [index, [near, far]] of ends.entries()) {
      for (const [otherNear, otherFar] of ends.slice(index + 1)) {
        if ((near - otherNear) * (far - otherFar) < 0) count++;
      }
    }
  }
  return count;
}

function positionsIn(ranks: readonly (readonly Place[])[]): Map<Place, number> {
  return new Map(ranks.flatMap((rank) => rank.map((place, index) => [place, index] as const)));
}
