import { heightOf } from "./box.ts";
import type { Place } from "./lanes.ts";

/** The measures of a drawing. */
export interface Grid {
  /** Ranks are columns, and lines go sideways. */
  readonly isWide: boolean;
  /** The width of a box. */
  readonly box: number;
  /** Between ranks, and between the places of a rank. */
  readonly rankGap: number;
  readonly placeGap: number;
  /** How many nodes a rank may have if that is enough, and the most ranks that are to be. */
  readonly capacity: number;
  readonly ranks: number;
}

/** The width of a lane. */
export const LANE = 12;
/** Collections in a column before it is split, if there is room for another. */
const TALLEST = 5;
/** Below this width, ranks are rows. */
const NARROW = 560;
const WIDE_BOX = 184;
const NARROW_BOX = 120;
const LEAST_GAP = 64;
const MOST_GAP = 144;

export function gridFor(room: number): Grid {
  if (room < NARROW) {
    return { isWide: false, box: NARROW_BOX, rankGap: 40, placeGap: LANE, capacity: 2, ranks: Infinity };
  }
  const ranks = Math.max(2, Math.floor((room + LEAST_GAP) / (WIDE_BOX + LEAST_GAP)));
  return { isWide: true, box: WIDE_BOX, rankGap: LEAST_GAP, placeGap: 16, capacity: TALLEST, ranks };
}

/** Uses the room that the ranks leave: for wider boxes on a phone, for wider gaps elsewhere. */
export function fitGrid(grid: Grid, ranks: readonly (readonly Place[])[], room: number): Grid {
  if (!grid.isWide) {
    const fitting = ranks.map((rank) => {
      const boxes = rank.filter(({ node }) => node).length;
      const used = (rank.length - boxes) * LANE + (rank.length - 1) * grid.placeGap;
      return (room - used) / Math.max(1, boxes);
    });
    const half = (room - LANE - grid.placeGap) / 2;
    return { ...grid, box: Math.floor(Math.max(NARROW_BOX, Math.min(half, WIDE_BOX, ...fitting))) };
  }
  const free = (room - ranks.length * grid.box) / Math.max(1, ranks.length - 1);
  return { ...grid, rankGap: Math.floor(Math.min(MOST_GAP, Math.max(LEAST_GAP, free))) };
}

/** The size of a place along its rank. */
export function sizeOf({ node }: Place, { isWide, box }: Grid): number {
  if (!node) return LANE;
  return isWide ? heightOf(node) : box;
}
