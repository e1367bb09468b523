import { type Box, heightOf } from "./box.ts";
import { type DrawnLine, drawLine, LOOP, loopOf } from "./drawn-line.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { fitGrid, type Grid, gridFor, LANE, sizeOf } from "./grid.ts";
import { type Lanes, leadLines } from "./lanes.ts";
import { orderRanks } from "./order.ts";
import { createPorts, positionsAlong } from "./positions.ts";
import { rankWithin } from "./ranks.ts";

/** A drawing of collections and their relations, in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly DrawnLine[];
}

/** Draws a graph into the given width; it may become wider if the graph has many ranks. */
export function layoutGraph(graph: Graph, width: number): Layout {
  const loops = graph.edges.filter(({ from, to }) => from === to);
  const room = width - (loops.length > 0 ? LOOP : 0);
  const isRelated = ({ name }: GraphNode): boolean =>
    graph.edges.some(({ from, to }) => from !== to && (from === name || to === name));
  const related = graph.nodes.filter(isRelated);
  const rough = gridFor(room);
  const lanes = leadLines(rankWithin(related, graph.edges, rough), graph.edges);
  const grid = fitGrid(rough, lanes.ranks, room);
  const connected = place(lanes, grid, room);
  const others = rowsOf(
    graph.nodes.filter((node) => !isRelated(node)),
    grid,
    { room, top: connected.height === 0 ? 0 : connected.height + 32 },
  );
  const boxes = [...connected.boxes, ...others];
  const right = Math.max(0, ...boxes.map((box) => box.x + box.width)) + (loops.length > 0 ? LOOP : 0);
  return {
    width: Math.max(right, connected.width),
    height: Math.max(connected.height, ...others.map((box) => box.y + box.height)),
    boxes,
    lines: [...connected.lines, ...loops.flatMap((edge) => loopOf(edge, boxes))],
  };
}

/** Collections without relations, side by side. */
function rowsOf(nodes: readonly GraphNode[], { box, placeGap }: Grid, { room, top }: { room: number; top: number }) {
  const gap = placeGap + LANE;
  const columns = Math.max(1, Math.floor((room + gap) / (box + gap)));
  const boxes: Box[] = [];
  let y = top;
  for (let first = 0; first < nodes.length; first += columns) {
    const row = nodes.slice(first, first + columns);
    for (const [column, node] of row.entries()) {
      boxes.push({ node, x: column * (box + gap), y, width: box, height: heightOf(node) });
    }
    y += Math.max(...row.map(heightOf)) + gap;
  }
  return boxes;
}

/** Finds the place of everything that is related: along a rank so that lines are straight, ranks one after the other. */
function place({ ranks: unordered, lines, segments }: Lanes, grid: Grid, room: number): Layout {
  const { isWide, box, rankGap } = grid;
  const ranks = orderRanks(unordered, segments);
  const { portOf, keysOf } = createPorts(ranks, lines, grid);
  const starts = positionsAlong(ranks, segments, { grid, portOf, room });
  const depths = ranks.map((rank) => (isWide ? box : Math.max(...rank.map(({ node }) => (node ? heightOf(node) : 0)))));
  const tops = depths.map((_, rank) => depths.slice(0, rank).reduce((sum, depth) => sum + depth + rankGap, 0));
  const boxes = ranks.flat().flatMap((one): Box[] => {
    if (!one.node) return [];
    const [along, across] = [starts.get(one) ?? 0, tops[one.rank] ?? 0];
    const [x, y] = isWide ? [across, along] : [along, across];
    return [{ node: { ...one.node, keys: keysOf(one) }, x, y, width: box, height: heightOf(one.node) }];
  });
  const drawn = lines.map(({ edge, ends, isForward }): DrawnLine => {
    const stops = ends.map((end) => {
      const [top, depth] = [tops[end.place.rank] ?? 0, depths[end.place.rank] ?? 0];
      // A box may be less deep than its rank; lines go straight on to where it ends.
      const own = end.place.node && !isWide ? heightOf(end.place.node) : depth;
      return { along: (starts.get(end.place) ?? 0) + portOf(end), top, bottom: top + depth, edge: top + own };
    });
    return drawLine(edge, stops, { isForward, isWide });
  });
  const across = (tops.at(-1) ?? 0) + (depths.at(-1) ?? 0);
  const along = Math.max(0, ...ranks.flat().map((one) => (starts.get(one) ?? 0) + sizeOf(one, grid)));
  return { width: isWide ? across : along, height: isWide ? along : across, boxes, lines: drawn };
}
