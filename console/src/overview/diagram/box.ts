import type { GraphNode } from "./graph.ts";

/** Sizes that the stylesheet shares. */
export const HEAD = 40;
export const ROW = 24;
const FOOT = 8;

/** A collection and its place in the drawing, in pixels. */
export interface Box {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A head with the name, and a row for each key. */
export function heightOf({ keys }: GraphNode): number {
  return HEAD + (keys.length === 0 ? 0 : keys.length * ROW + FOOT);
}
