import { type Box, HEAD, ROW } from "./box.ts";
import type { GraphEdge } from "./graph.ts";

export interface DrawnLine {
  readonly edge: GraphEdge;
  /** The path from the key to the collection that it refers to. */
  readonly path: string;
  /** Where it begins and ends, and where the end points. */
  readonly start: Point;
  readonly end: Point;
  readonly points: "left" | "right" | "up" | "down";
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The room for lines of a collection to itself. */
export const LOOP = 18;

/** A stop of a line: its position along the rank, and where the rank begins and ends. */
export interface Stop {
  readonly along: number;
  readonly top: number;
  readonly bottom: number;
  /** Where the box of the stop ends. */
  readonly edge: number;
}

/** Curves between ranks, and straight through each. */
export function drawLine(
  edge: GraphEdge,
  stops: readonly Stop[],
  { isForward, isWide }: { isForward: boolean; isWide: boolean },
): DrawnLine {
  const point = (across: number, along: number): Point => (isWide ? { x: across, y: along } : { x: along, y: across });
  const text = ({ x, y }: Point): string => `${x} ${y}`;
  const first = stops[0] as Stop;
  const last = stops.at(-1) as Stop;
  const start = point(isForward ? first.edge : first.top, first.along);
  const end = point(isForward ? last.top : last.edge, last.along);
  const pieces = [`M${text(start)}`];
  if (isForward && first.edge < first.bottom) pieces.push(`L${text(point(first.bottom, first.along))}`);
  for (const [index, to] of stops.slice(1).entries()) {
    const from = stops[index] as Stop;
    const [leaves, arrives] = isForward ? [from.bottom, to.top] : [from.top, to.bottom];
    const half = (leaves + arrives) / 2;
    pieces.push(
      `C${text(point(half, from.along))} ${text(point(half, to.along))} ${text(point(arrives, to.along))}`,
      `L${text(to === last ? end : point(isForward ? to.bottom : to.top, to.along))}`,
    );
  }
  const points = isWide ? (isForward ? "right" : "left") : isForward ? "down" : "up";
  return { edge, path: pieces.join(""), start, end, points };
}

/** From the key of a collection to its own primary key, around the right side. */
export function loopOf(edge: GraphEdge, boxes: readonly Box[]): DrawnLine[] {
  const box = boxes.find(({ node }) => node.name === edge.from);
  if (!box) return [];
  const row = box.node.keys.findIndex(({ field, to }) => to !== undefined && field === edge.field);
  const x = box.x + box.width;
  const start = { x, y: box.y + HEAD + (row + 0.5) * ROW };
  const end = { x, y: box.y + HEAD + 0.5 * ROW };
  const path = `M${start.x} ${start.y}C${x + LOOP} ${start.y} ${x + LOOP} ${end.y} ${end.x} ${end.y}`;
  return [{ edge, path, start, end, points: "left" }];
}
