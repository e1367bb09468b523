import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/**
 * A place in a rank: a collection, or the lane of lines that pass the rank on their way. All lines to the same collection
 * share a lane, so that they meet before they arrive.
 */
export interface Place {
  readonly rank: number;
  readonly node: GraphNode | undefined;
}

/** Where a line leaves or enters a place. */
export interface End {
  readonly place: Place;
  /** The key at which it leaves a collection; undefined where it arrives, and for lanes. */
  readonly field: string | undefined;
}

/** A part of a line between places of neighbouring ranks; `near` is in the rank before `far`. */
export interface Segment {
  readonly near: End;
  readonly far: End;
}

/** A line from a key to the collection that it refers to, as the places it passes. */
export interface Line {
  readonly edge: GraphEdge;
  /** The rank of the collection it leads to comes after its own: in a circle of references. */
  readonly isForward: boolean;
  readonly ends: readonly End[];
}

export interface Lanes {
  readonly ranks: Place[][];
  readonly lines: readonly Line[];
  readonly segments: readonly Segment[];
}

/** Leads every line through the ranks between its ends. References of a collection to itself are not among them. */
export function leadLines(ranked: readonly (readonly GraphNode[])[], edges: Graph["edges"]): Lanes {
  const ranks = ranked.map((nodes, rank) => nodes.map((node): Place => ({ rank, node })));
  const placeOf = new Map(ranks.flat().map((place) => [place.node?.name, place]));
  const lanes = new Map<string, Place>();
  const laneAt = (rank: number, to: string, isForward: boolean): Place => {
    const key = `${rank} ${isForward} ${to}`;
    const known = lanes.get(key);
    if (known) return known;
    const lane: Place = { rank, node: undefined };
    lanes.set(key, lane);
    ranks[rank]?.push(lane);
    return lane;
  };
  const lines = edges.flatMap((edge): Line[] => {
    const [start, goal] = [placeOf.get(edge.from), placeOf.get(edge.to)];
    if (!start || !goal || start === goal) return [];
    const isForward = goal.rank >= start.rank;
    const step = isForward ? 1 : -1;
    const ends: End[] = [{ place: start, field: edge.field }];
    for (let rank = start.rank + step; (goal.rank - rank) * step > 0; rank += step) {
      ends.push({ place: laneAt(rank, edge.to, isForward), field: undefined });
    }
    ends.push({ place: goal, field: undefined });
    return [{ edge, isForward, ends }];
  });
  return { ranks, lines, segments: distinct(lines.flatMap(segmentsOf)) };
}

/** Lines that share lanes share the segments between these. */
function distinct(segments: readonly Segment[]): Segment[] {
  const known = new Map<Place, Set<Place>>();
  return segments.filter(({ near, far }) => {
    if (near.field !== undefined || far.field !== undefined) return true;
    const others = known.get(near.place) ?? new Set();
    if (others.has(far.place)) return false;
    known.set(near.place, others.add(far.place));
    return true;
  });
}

function segmentsOf({ ends, isForward }: Line): Segment[] {
  return ends.slice(1).map((end, index) => {
    const before = ends[index] as End;
    return isForward ? { near: before, far: end } : { near: end, far: before };
  });
}
