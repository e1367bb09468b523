import { HEAD, ROW } from "./box.ts";
import type { GraphKey } from "./graph.ts";
import { type Grid, LANE, sizeOf } from "./grid.ts";
import type { End, Line, Place, Segment } from "./lanes.ts";
import { spread } from "./spread.ts";

/** Rounds in which ranks are fitted to each other. */
const ROUNDS = 10;

export interface Ports {
  /** Where a line meets a place, from where the place begins. */
  portOf(end: End): number;
  /** The keys of a node from top to bottom: in the order of what their lines lead to, so that these do not cross. */
  keysOf(place: Place): readonly GraphKey[];
}

export function createPorts(ranks: readonly Place[][], lines: readonly Line[], { isWide, box }: Grid): Ports {
  const at = new Map(ranks.flatMap((rank) => rank.map((place, index) => [place, index] as const)));
  const goals = new Map<Place, Map<string, number>>();
  for (const { edge, ends } of lines) {
    const [start, next] = ends;
    if (!start || !next) continue;
    const known = goals.get(start.place) ?? new Map<string, number>();
    goals.set(start.place, known.set(edge.field, at.get(next.place) ?? 0));
  }
  const sorted = new Map(ranks.flat().map((place) => [place, sortKeys(place, goals.get(place))]));
  const keysOf = (place: Place): readonly GraphKey[] => sorted.get(place) ?? [];
  return {
    keysOf,
    portOf({ place, field }) {
      if (!place.node) return LANE / 2;
      const keys = keysOf(place);
      const row = field === undefined ? 0 : keys.findIndex((key) => key.to !== undefined && key.field === field);
      if (isWide) return HEAD + (row + 0.5) * ROW;
      return field === undefined ? box / 2 : (box * row) / keys.length;
    },
  };
}

/** The primary key stays first. */
function sortKeys({ node }: Place, goals: ReadonlyMap<string, number> | undefined): readonly GraphKey[] {
  const position = ({ field, to }: GraphKey): number => (to === undefined ? -1 : (goals?.get(field) ?? 0));
  return node?.keys.toSorted((a, b) => position(a) - position(b)) ?? [];
}

interface Fitting extends Pick<Ports, "portOf"> {
  readonly grid: Grid;
  readonly room: number;
}

/** Where each place begins along its rank: as near as possible to where its lines lead. */
export function positionsAlong(
  ranks: readonly Place[][],
  segments: readonly Segment[],
  { grid, portOf, room }: Fitting,
): ReadonlyMap<Place, number> {
  const starts = new Map<Place, number>();
  const links = new Map<Place, { readonly end: End; readonly other: End }[]>();
  const link = (end: End, other: End): void => {
    links.set(end.place, [...(links.get(end.place) ?? []), { end, other }]);
  };
  for (const { near, far } of segments) {
    link(near, far);
    link(far, near);
  }
  let longest = 0;
  for (const rank of ranks) {
    let next = 0;
    for (const place of rank) {
      starts.set(place, next);
      next += sizeOf(place, grid) + grid.placeGap;
    }
    longest = Math.max(longest, next - grid.placeGap);
  }
  const limit = grid.isWide ? longest : Math.max(room, longest);
  const wishOf = (place: Place) => {
    const wanted = (links.get(place) ?? []).map(
      ({ end, other }) => (starts.get(other.place) ?? 0) + portOf(other) - portOf(end),
    );
    const start = wanted.reduce((sum, value) => sum + value, 0) / Math.max(1, wanted.length);
    return { start, size: sizeOf(place, grid), weight: place.node ? 1 : 2 };
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const rank of round % 2 === 0 ? ranks : ranks.toReversed()) {
      const fitted = spread(rank.map(wishOf), grid.placeGap, limit);
      for (const [index, start] of fitted.entries()) starts.set(rank[index] as Place, Math.round(start));
    }
  }
  const least = Math.min(...starts.values());
  return new Map([...starts].map(([place, start]) => [place, start - least]));
}
